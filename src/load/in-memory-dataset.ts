import { statSync } from 'node:fs';
import type { Test } from '../model/test.ts';
import { hasFileParts } from './file-parts.ts';

/** Roughly the memory of a test without its texts, and the bytes per character of its line. */
const [TEST_BYTES, BYTES_PER_CHARACTER] = [1000, 10];

/** Roughly how much memory the tests of all datasets of a run may take. */
export class DatasetBudget {
  left = 32 * 1024 * 1024;

  /** False for a file that is too large, or that cannot be opened: reading it reports why. */
  hasRoomFor(file: string): boolean {
    try {
      return statSync(file).size * BYTES_PER_CHARACTER <= this.left;
    } catch {
      return false;
    }
  }
}

/** Keeps the tests of a small dataset, so that it is not read a second time when it runs. */
export class InMemoryDataset {
  private readonly budget: DatasetBudget;
  private held: Test[] | undefined;
  private bytes = 0;

  constructor(file: string, budget: DatasetBudget) {
    this.budget = budget;
    if (budget.hasRoomFor(file)) this.held = [];
  }

  /** Undefined if they are too many, or too large. */
  get tests(): readonly Test[] | undefined {
    return this.held;
  }

  add(test: Test, line: string): void {
    if (this.held === undefined) return;
    const bytes = TEST_BYTES + line.length * BYTES_PER_CHARACTER;
    // A test contains the texts of the files it names and the values of its row, even if its line is short.
    const holdsMore = test.row !== undefined || test.steps.some(hasFileParts);
    if (bytes > this.budget.left || holdsMore) return this.letGo();
    this.held.push(test);
    this.bytes += bytes;
    this.budget.left -= bytes;
  }

  private letGo(): void {
    this.held = undefined;
    this.budget.left += this.bytes;
  }
}
