/** Lets one through at a time, in the order in which they come. */
export class OneAtATime {
  private last: Promise<void> = Promise.resolve();

  /** Waits for its turn. The function that is returned ends it. */
  async take(): Promise<() => void> {
    const before = this.last;
    let end = (): void => {};
    this.last = new Promise((resolve) => (end = resolve));
    await before;
    return end;
  }
}
