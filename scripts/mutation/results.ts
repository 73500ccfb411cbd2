import type { Tried } from './workshop.ts';

interface Score {
  readonly tried: number;
  /** By the type checker: these count neither way, and neither do the equivalent ones. */
  readonly refused: number;
  readonly equivalent: number;
  readonly killed: number;
  /** Of those that count. */
  readonly share: number;
}

interface Survivor {
  readonly name: string;
  readonly line: number;
  /** Why no user could notice it. */
  readonly equivalent?: string;
}

type Scores = Readonly<Record<string, Score>>;

export interface Results {
  readonly seed: number;
  /** Of the first call with this seed: what the tests of then noticed. */
  readonly before?: Scores | undefined;
  readonly score: Scores;
  readonly survivors: readonly Survivor[];
}

/** What became of mutants, by room. `equivalent`: the reasons, by the names of mutants. */
export function resultsOf(
  tried: readonly Tried[],
  {
    seed,
    rooms,
    equivalent,
    earlier,
  }: {
    readonly seed: number;
    readonly rooms: readonly string[];
    readonly equivalent: Readonly<Record<string, string>>;
    /** Of an earlier call. */
    readonly earlier: Partial<Results>;
  },
): Results {
  const survivors = tried
    .filter(({ end }) => end === 'survived')
    .map(({ mutant: { name, line } }) => {
      const reason = equivalent[name];
      return { name, line, ...(reason === undefined ? {} : { equivalent: reason }) };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const scoreIn = (room: string): Score => {
    const own = tried.filter(({ mutant }) => mutant.file.startsWith(`src/${room}`));
    const count = (...ends: readonly Tried['end'][]): number =>
      own.filter(({ end }) => ends.includes(end)).length;
    const same = survivors.filter(
      (each) => each.equivalent !== undefined && each.name.startsWith(`src/${room}`),
    ).length;
    const [refused, killed] = [count('refused'), count('killed', 'timeout')];
    const counted = own.length - refused - same;
    const share = counted === 0 ? 1 : Number((killed / counted).toFixed(3));
    return { tried: own.length, refused, equivalent: same, killed, share };
  };
  const score = rooms.map((room) => [room, scoreIn(`${room}/`)] as const);
  const before = earlier.seed === seed ? (earlier.before ?? earlier.score) : undefined;
  return { seed, before, score: Object.fromEntries([...score, ['all', scoreIn('')]]), survivors };
}
