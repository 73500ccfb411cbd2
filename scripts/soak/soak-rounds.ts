import { soakRound } from './soak-round.ts';

export interface SoakRounds {
  readonly line: string;
  readonly violations: readonly string[];
}

interface RoundsOptions {
  readonly end: number;
  readonly firstSeed: number;
  readonly maxRounds: number;
}

/** Round after round until the time is over. */
export async function soakRounds({ end, firstSeed, maxRounds }: RoundsOptions): Promise<SoakRounds> {
  let [rounds, attempts] = [0, 0];
  const violations: string[] = [];
  const signals = { SIGKILL: 0, SIGINT: 0, SIGTERM: 0 };
  for (; Date.now() < end && rounds < maxRounds; rounds++) {
    const seed = firstSeed + rounds;
    const round = await soakRound(seed);
    attempts += round.attempts;
    for (const [signal, count] of Object.entries(round.signals))
      signals[signal as keyof typeof signals] += count;
    for (const violation of round.violations)
      violations.push(`in the round of seed ${seed} (${round.kind}): ${violation}`);
  }
  const { SIGKILL, SIGINT, SIGTERM } = signals;
  const kills = `${SIGKILL + SIGINT + SIGTERM} kills (${SIGKILL} SIGKILL, ${SIGINT} SIGINT, ${SIGTERM} SIGTERM)`;
  return { line: `${rounds} rounds, ${kills}, ${attempts} attempts`, violations };
}
