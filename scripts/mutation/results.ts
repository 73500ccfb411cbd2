import type { Tried } from './workshop.ts';

interface Score {
  readonly tried: number;
  /** By the type checker: these count neither way, as do the equivalent ones and those whose code was deleted. */
  readonly refused: number;
  readonly equivalent: number;
  readonly deleted: number;
  /** At the first try, and with the tests written since. */
  readonly killed_first: number;
  readonly killed: number;
  readonly share_first: number;
  readonly share: number;
}

interface Survivor {
  readonly name: string;
  readonly line: number;
  /** Why nobody could see it. */
  readonly equivalent?: string;
}

export interface Results {
  readonly seed: number;
  readonly score: Readonly<Record<string, Score>>;
  readonly survivors: readonly Survivor[];
}

interface Counts {
  tried: number;
  refused: number;
  deleted: number;
  killed_first: number;
  killed: number;
}

/** Counts what happened to each mutant, by room. */
export class Tally {
  private readonly counts: Map<string, Counts>;
  private survivors: readonly Survivor[];

  constructor(
    private readonly seed: number,
    rooms: readonly string[],
    private readonly equivalent: Readonly<Record<string, string>>,
    earlier?: Results,
  ) {
    const none = { tried: 0, refused: 0, deleted: 0, killed_first: 0, killed: 0 };
    this.counts = new Map(rooms.map((room) => [room, { ...none, ...earlier?.score[room] }]));
    this.survivors = earlier?.survivors ?? [];
  }

  /** Those worth another try. */
  get open(): readonly string[] {
    return this.survivors.map(({ name }) => name).filter((name) => this.equivalent[name] === undefined);
  }

  add({ mutant: { file, name, line }, end }: Tried): void {
    const counts = this.counts.get(file.split('/')[1]!)!;
    counts.tried += 1;
    if (end === 'survived') this.survivors = [...this.survivors, { name, line }];
    else if (end === 'refused') counts.refused += 1;
    else {
      counts.killed_first += 1;
      counts.killed += 1;
    }
  }

  /** One that survived before. */
  addAgain({ mutant: { file, name }, end }: Tried): void {
    if (end === 'survived') return;
    this.survivors = this.survivors.filter((survivor) => survivor.name !== name);
    this.counts.get(file.split('/')[1]!)!.killed += 1;
  }

  addDeleted(name: string): void {
    this.survivors = this.survivors.filter((survivor) => survivor.name !== name);
    this.counts.get(name.split('/')[1]!)!.deleted += 1;
  }

  results(): Results {
    const survivors = this.survivors.map(({ name, line }) => {
      const equivalent = this.equivalent[name];
      return { name, line, ...(equivalent === undefined ? {} : { equivalent }) };
    });
    const score = [...this.counts].map(([room, counts]) => [room, scoreOf(counts, sameIn(survivors, room))]);
    const all = [...this.counts.values()].reduce((sum, counts) => ({
      tried: sum.tried + counts.tried,
      refused: sum.refused + counts.refused,
      deleted: sum.deleted + counts.deleted,
      killed_first: sum.killed_first + counts.killed_first,
      killed: sum.killed + counts.killed,
    }));
    return {
      seed: this.seed,
      score: Object.fromEntries([...score, ['all', scoreOf(all, sameIn(survivors, ''))]]),
      survivors,
    };
  }
}

function sameIn(survivors: readonly Survivor[], room: string): number {
  return survivors.filter(
    ({ name, equivalent }) => equivalent !== undefined && name.startsWith(`src/${room}`),
  ).length;
}

function scoreOf({ tried, refused, deleted, killed_first, killed }: Counts, equivalent: number): Score {
  const counted = tried - refused - equivalent - deleted;
  const share = (count: number): number => (counted === 0 ? 1 : Number((count / counted).toFixed(3)));
  return {
    tried,
    refused,
    equivalent,
    deleted,
    killed_first,
    killed,
    share_first: share(killed_first),
    share: share(killed),
  };
}
