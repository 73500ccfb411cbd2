import { statSync } from 'node:fs';
import type { Test } from '../model/test.ts';
import { hasFileParts } from './file-parts.ts';

/** Roughly the memory of a test without its texts, and the bytes per character of its line. */
const [TEST_BYTES, BYTES_PER_CHARACTER] = [1000, 10];

/** After this many tests, the rest is estimated. */
const SAMPLE = 500;

/** Roughly how much memory the tests of all datasets of a run may take. */
export class DatasetBudget {
  left = 96 * 1024 * 1024;
}

/** Keeps the tests of a small dataset, so that it is not read a second time when it runs. */
export class InMemoryDataset {
  private readonly budget: DatasetBudget;
  private held: Test[] | undefined;
  private bytes = 0;
  private characters = 0;
  private readonly fileSize: number;

  constructor(file: string, budget: DatasetBudget) {
    this.budget = budget;
    this.fileSize = sizeOf(file);
    if (this.fileSize * BYTES_PER_CHARACTER <= budget.left) this.held = [];
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
    this.characters += line.length;
    this.budget.left -= bytes;
    // If it will not fit, nothing is gained by keeping the first tests.
    if (this.held.length === SAMPLE && this.bytesOfRest() > this.budget.left) this.letGo();
  }

  private bytesOfRest(): number {
    return (this.bytes / this.characters) * (this.fileSize - this.characters);
  }

  private letGo(): void {
    this.held = undefined;
    this.budget.left += this.bytes;
  }
}

/** Endless for a file that cannot be opened: reading it reports why. */
function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return Infinity;
  }
}
