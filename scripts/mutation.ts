// `npm run mutation [-- --count 400 --least 30 --seed 1 --room journal --jobs 1]`: changes the source in small ways, one
// at a time, in a copy of the project, and counts how many of the changes a test notices. Build first: the copy takes
// `dist` along. It starts with a run over all tests that notes what each of them runs through, and keeps these notes in
// `--notes`. Results are written as they come, so that it can be stopped at any time; `--retry` tries the survivors again.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureCoverage, type Coverage } from './mutation/coverage.ts';
import type { Mutant } from './mutation/mutants.ts';
import { mutantsOfRoom, ROOMS, sampleMutants } from './mutation/rooms.ts';
import { Tally, type Results } from './mutation/results.ts';
import { refusedByTypes } from './mutation/refused.ts';
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
    retry: { type: 'boolean', default: false },
    notes: { type: 'string', default: join(tmpdir(), 'assay-mutation-notes.json') },
    out: { type: 'string', default: 'scripts/mutation/results.json' },
  },
});
const rooms = values.room ?? ROOMS;
const all = rooms.map((room) => mutantsOfRoom('.', room));
/** Mutants that change nothing anybody could see, by their names, each with the reason. */
const equivalent = readJson<Record<string, string>>('scripts/mutation/equivalent.json', {});
const earlier = values.retry ? readJson<Results>(values.out, undefined) : undefined;
const tally = new Tally(earlier?.seed ?? Number(values.seed), rooms, equivalent, earlier);
const coverage = await measureCoverage(ROOMS, readJson<Coverage>(values.notes, { sources: {}, tests: {} }));
writeFileSync(values.notes, JSON.stringify(coverage));

const sample = values.retry ? survivors() : random();
const refused = await refusedByTypes(sample);
const queue = sample.filter((mutant) => !refused.has(mutant));
const total = queue.length;
let tried = 0;

function random(): readonly Mutant[] {
  const [count, least] = [Number(values.count), Number(values.least)];
  return sampleMutants(all, { count, least, random: randomFrom(Number(values.seed)) });
}

function survivors(): readonly Mutant[] {
  const names = new Set(tally.open);
  const found = all.flat().filter(({ name }) => names.delete(name));
  for (const name of names) tally.addDeleted(name);
  return found;
}

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
  if (end !== 'refused') {
    tried += 1;
    console.log(`${tried}/${total} ${end} ${seconds} s ${mutant.line} ${mutant.name} | ${why}`);
  }
  if (values.retry) tally.addAgain(result);
  else tally.add(result);
  save();
}

function save(): void {
  writeFileSync(values.out, `${JSON.stringify(tally.results(), null, 2)}\n`);
}

function readJson<Value>(path: string, otherwise: Value | undefined): Value {
  if (otherwise !== undefined && !existsSync(path)) return otherwise;
  return JSON.parse(readFileSync(path, 'utf8')) as Value;
}

for (const mutant of refused) note({ mutant, end: 'refused', why: 'types', seconds: 0 });
await tryAll(await tryAll(queue, 'source'), 'program');
save();
console.log(JSON.stringify(tally.results().score, null, 2));
