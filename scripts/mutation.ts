// `npm run mutation [-- --count 400 --least 30 --seed 1 --room journal --jobs 1]`: changes the source in small ways, one
// at a time, in a copy of the project, and counts how many of the changes a test notices. Build first: the copy takes
// `dist` along. It starts with a run over all tests that notes what each of them runs through. The notes are kept in
// `--notes`, with the mutants that were killed: the next call tries only the others, with the tests of then.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureCoverage, type Coverage } from './mutation/coverage.ts';
import type { Mutant } from './mutation/mutants.ts';
import { refusedByTypes } from './mutation/refused.ts';
import { resultsOf, type Results } from './mutation/results.ts';
import { mutantsOfRoom, ROOMS, sampleMutants } from './mutation/rooms.ts';
import { Workshop, type Tried } from './mutation/workshop.ts';
import { randomFrom } from './random.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '400' },
    least: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    room: { type: 'string', multiple: true },
    jobs: { type: 'string', default: '1' },
    budget: { type: 'string', default: '60' },
    notes: { type: 'string', default: join(tmpdir(), 'assay-mutation-notes') },
    out: { type: 'string', default: 'scripts/mutation/results.json' },
  },
});

/** By the names of mutants. */
interface Known {
  /** Whether the types refuse it. */
  readonly refused: Record<string, boolean>;
  /** Which test noticed it. */
  readonly killed: Record<string, string>;
}

const rooms = values.room ?? ROOMS;
/** Mutants that change nothing anybody could see, by their names, each with the reason. */
const equivalent = readJson<Record<string, string>>('scripts/mutation/equivalent.json', {});
const earlier = readJson<Partial<Results>>(values.out, {});
const seed = Number(values.seed);
const sample = sampleMutants(
  rooms.map((room) => mutantsOfRoom('.', room)),
  { count: Number(values.count), least: Number(values.least), random: randomFrom(seed) },
);
mkdirSync(values.notes, { recursive: true });
const coveragePath = join(values.notes, 'coverage.json');
const coverage = await measureCoverage(ROOMS, readJson<Coverage>(coveragePath, { sources: {}, tests: {} }));
writeFileSync(coveragePath, JSON.stringify(coverage));
const knownPath = join(values.notes, 'known.json');
const known = readJson<Known>(knownPath, { refused: {}, killed: {} });
const unknown = sample.filter(({ name }) => known.refused[name] === undefined);
const refused = await refusedByTypes(unknown);
for (const mutant of unknown) known.refused[mutant.name] = refused.has(mutant);

const tried: Tried[] = sample.flatMap((mutant): readonly Tried[] => {
  const why = known.killed[mutant.name];
  if (known.refused[mutant.name] === true) return [{ mutant, end: 'refused', why: 'types', seconds: 0 }];
  return why === undefined ? [] : [{ mutant, end: 'killed', why, seconds: 0 }];
});
save();
const isKnown = new Set(tried.map(({ mutant }) => mutant));
const queue = sample.filter((mutant) => !isKnown.has(mutant));

/** Answers with those that have to be tried in the program as well. */
async function tryAll(mutants: readonly Mutant[], where: 'source' | 'program'): Promise<readonly Mutant[]> {
  const left = [...mutants];
  const survived: Mutant[] = [];
  const work = async (): Promise<void> => {
    const built = where === 'program' ? mutants : [];
    const workshop = new Workshop({ coverage, budget: Number(values.budget), built });
    try {
      if (where === 'program') await workshop.build();
      for (let mutant = left.shift(); mutant !== undefined; mutant = left.shift()) {
        const result =
          where === 'program' ? await workshop.tryProgram(mutant) : await workshop.trySource(mutant);
        if (result.end === 'survived' && where === 'source') survived.push(mutant);
        else note(result);
      }
    } finally {
      workshop.remove();
    }
  };
  await Promise.all(Array.from({ length: Math.min(Number(values.jobs), left.length) }, work));
  return survived;
}

function note(result: Tried): void {
  const { mutant, end, why, seconds } = result;
  tried.push(result);
  console.log(`${tried.length}/${sample.length} ${end} ${seconds} s ${mutant.line} ${mutant.name} | ${why}`);
  if (end !== 'survived') known.killed[mutant.name] = why;
  save();
}

function save(): void {
  writeFileSync(knownPath, JSON.stringify(known));
  writeFileSync(
    values.out,
    `${JSON.stringify(resultsOf(tried, { seed, rooms, equivalent, earlier }), null, 2)}\n`,
  );
}

function readJson<Value>(path: string, otherwise: Value): Value {
  return existsSync(path)
    ? { ...otherwise, ...(JSON.parse(readFileSync(path, 'utf8')) as Value) }
    : otherwise;
}

await tryAll(await tryAll(queue, 'source'), 'program');
console.log(JSON.stringify(resultsOf(tried, { seed, rooms, equivalent, earlier }).score, null, 2));
