import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../random.ts';
import { mutantsOf, type Mutant } from './mutants.ts';

/** The rooms whose tests are tried, each with the tests of the built program that are about it. */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  run: ['test/run', 'test/journal/resume.test.ts', 'test/examples'],
  verdicts: ['test/run', 'test/reporters'],
  journal: ['test/journal', 'test/view'],
  compare: ['test/compare', 'test/cli'],
  stats: ['test/stats', 'test/compare', 'test/run/adaptive-repeats.test.ts'],
  match: ['test/evaluators', 'test/formats', 'test/security/secrets.test.ts'],
  assertions: ['test/evaluators', 'test/judges', 'test/check'],
  api: ['test/run', 'test/check', 'test/update', 'test/compare', 'test/journal', 'test/cli'],
};

/** Python's `re` has vectors of its own, and takes as long as everything else together. */
const LEFT_OUT = /\.test\.ts$|\.generated\.ts$|\/python-re\//;

/** All mutants of a room. */
export function mutantsOfRoom(root: string, room: string): readonly Mutant[] {
  return readdirSync(join(root, 'src', room), { recursive: true, encoding: 'utf8' })
    .map((name) => join('src', room, name))
    .filter((file) => file.endsWith('.ts') && !LEFT_OUT.test(file))
    .sort()
    .flatMap((file) => mutantsOf(readFileSync(join(root, file), 'utf8'), file));
}

/** At least `least` of each room, and the rest as large as the rooms are: the same for the same seed. */
export function sampleMutants(
  rooms: readonly (readonly Mutant[])[],
  { count, least, random }: { readonly count: number; readonly least: number; readonly random: Random },
): readonly Mutant[] {
  const shuffled = rooms.map((mutants) => shuffle(mutants, random));
  const first = shuffled.flatMap((mutants) => mutants.slice(0, least));
  const rest = shuffle(
    shuffled.flatMap((mutants) => mutants.slice(least)),
    random,
  );
  return shuffle([...first, ...rest.slice(0, Math.max(0, count - first.length))], random);
}

function shuffle<Item>(items: readonly Item[], random: Random): readonly Item[] {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = random.below(last + 1);
    [shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
  }
  return shuffled;
}
