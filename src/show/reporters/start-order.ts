/** More texts than this are not held back: one slow test must not keep those of a million others in memory. */
const MAX_HELD = 2000;

/**
 * Puts the texts of attempts in the order in which the attempts started, which is the same in every run. Each comes
 * as soon as those before it are there.
 */
export class StartOrder {
  /** In the order of their start; undefined while an attempt runs. */
  private readonly texts = new Map<string, string | undefined>();
  private held = 0;

  began(id: string): void {
    this.texts.set(id, undefined);
  }

  /** The texts that can be shown now. One that never started, such as that of a recorded run, starts when it ends. */
  ended(id: string, text: string): readonly string[] {
    this.texts.set(id, text);
    this.held++;
    const isFull = this.held > MAX_HELD;
    const ready: string[] = [];
    for (const [first, known] of this.texts) {
      if (known === undefined) {
        if (isFull) continue;
        break;
      }
      ready.push(known);
      this.texts.delete(first);
      this.held--;
    }
    return ready;
  }

  /** What is left when the run has ended. */
  rest(): readonly string[] {
    return [...this.texts.values()].filter((text) => text !== undefined);
  }
}
