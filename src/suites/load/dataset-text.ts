/** How many bytes the texts of all datasets of a run may take. */
export class DatasetBudget {
  left = 16 * 1024 * 1024;
}

/**
 * The text of a small dataset, as it was when it was checked: its tests are read again when they run, also if somebody edits the
 * file meanwhile. The tests themselves would take ten times as much, and collecting garbage around them longer than reading them.
 */
export class DatasetText {
  private readonly budget: DatasetBudget;
  private held: Buffer[] | undefined = [];
  private bytes = 0;
  private isWhole = false;

  constructor(budget: DatasetBudget) {
    this.budget = budget;
  }

  /** Undefined if it was not read to its end, or is too large. */
  get chunks(): readonly Buffer[] | undefined {
    return this.isWhole ? this.held : undefined;
  }

  /** The next piece that was read; an empty one is the end. */
  add(chunk: Buffer): void {
    if (this.held === undefined) return;
    this.isWhole = chunk.length === 0;
    this.bytes += chunk.length;
    this.budget.left -= chunk.length;
    if (this.budget.left < 0) {
      this.held = undefined;
      this.budget.left += this.bytes;
      // What is read of a short file is part of a longer piece of memory.
    } else this.held.push(Buffer.from(chunk));
  }
}
