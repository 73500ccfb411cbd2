import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../random.ts';
import { mutantsOf, type Mutant } from './mutants.ts';

/** The rooms whose tests are tried. */
export const ROOMS = ['run', 'runs', 'base/stats', 'base/match', 'checks', 'api'] as const;

/** Python's `re` has its own vectors, and takes as long as everything else together. */
const LEFT_OUT = /\.test\.ts$|\.generated\.ts$|\/python-re\//;

/** Tests that take long, and whose proof for these rooms others give sooner: of browsers, servers, agents, memory, kills. */
const NO_KILLER =
  /^test\/(?:web|bench|docs|scripts|python-re|queue|processes|conformance|agents|chat|[^/]*$)|\/(?:cluster|steady-memory|soak|large|large-replies|list-memory|equal-agents|keep-compiled|kill|hostile-\w+|every-command|path-tricks|slow-patterns|costly-schemas|object-keys|terminal-bytes|suites-are-data|html-report|live|never-comes)\.test\.ts$|^test\/view\/security/;

export function isKiller(testFile: string): boolean {
  return !NO_KILLER.test(testFile);
}

/** The files of a room that are mutated. */
export function sourcesOf(root: string, room: string): readonly string[] {
  return readdirSync(join(root, 'src', room), { recursive: true, encoding: 'utf8' })
    .map((name) => join('src', room, name))
    .filter((file) => file.endsWith('.ts') && !LEFT_OUT.test(file))
    .sort();
}

/** All mutants of a room. */
export function mutantsOfRoom(root: string, room: string): readonly Mutant[] {
  return sourcesOf(root, room).flatMap((file) => mutantsOf(readFileSync(join(root, file), 'utf8'), file));
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
