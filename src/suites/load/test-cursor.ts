import type { Test } from '../../base/model/test.ts';

/** Finds tests by id among so many that they are not kept. Fast if the ids are requested in the order of the tests. */
export class TestCursor {
  private readonly begin: () => Iterable<Test>;
  private rest: Iterator<Test> | undefined;

  constructor(begin: () => Iterable<Test>) {
    this.begin = begin;
  }

  find(id: string): Test | undefined {
    return (this.rest === undefined ? undefined : this.findAhead(id)) ?? this.findFromStart(id);
  }

  close(): void {
    this.rest?.return?.();
    this.rest = undefined;
  }

  private findFromStart(id: string): Test | undefined {
    this.close();
    this.rest = this.begin()[Symbol.iterator]();
    return this.findAhead(id);
  }

  private findAhead(id: string): Test | undefined {
    for (let next = this.rest!.next(); next.done !== true; next = this.rest!.next())
      if (next.value.id === id) return next.value;
    return undefined;
  }
}
