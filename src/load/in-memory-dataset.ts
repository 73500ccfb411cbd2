import { statSync } from 'node:fs';
import type { Test } from '../model/test.ts';
import { hasFileParts } from './file-parts.ts';

/** What a test takes besides its texts, about; and how many bytes a character of its line comes to. */
const [TEST_BYTES, BYTES_PER_CHARACTER] = [1000, 10];

/** How much memory the tests of all datasets of a run may take, about. */
export class DatasetBudget {
  left = 32 * 1024 * 1024;

  /** False for a file that is too large, or cannot be looked at: whoever reads it says why. */
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

  /** Undefined when they are too many, or too large. */
  get tests(): readonly Test[] | undefined {
    return this.held;
  }

  add(test: Test, line: string): void {
    if (this.held === undefined) return;
    const bytes = TEST_BYTES + line.length * BYTES_PER_CHARACTER;
    // The texts of the files that a test names are in it, however short its line is.
    if (bytes > this.budget.left || test.steps.some(hasFileParts)) return this.letGo();
    this.held.push(test);
    this.bytes += bytes;
    this.budget.left -= bytes;
  }

  private letGo(): void {
    this.held = undefined;
    this.budget.left += this.bytes;
  }
}
