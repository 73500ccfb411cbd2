// `npm run mutation [-- --count 400 --least 30 --seed 1 --room journal --jobs 1]`: changes the source in small ways, one
// at a time, in a copy of the project, and counts how many of the changes a test notices. Build first: the copy takes
// `dist` along. Results go to scripts/mutation/results.json as they come, so that it can be stopped at any time.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
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
    out: { type: 'string', default: 'scripts/mutation/results.json' },
  },
});
const rooms = values.room ?? Object.keys(ROOMS);
const sample = sampleMutants(
  rooms.map((room) => mutantsOfRoom('.', room)),
  { count: Number(values.count), least: Number(values.least), random: randomFrom(Number(values.seed)) },
);
/** Mutants that change nothing anybody could see, each with the reason: `file: before -> after`. */
const equivalent = JSON.parse(readFileSync('scripts/mutation/equivalent.json', 'utf8')) as Record<
  string,
  string
>;
const tried: Tried[] = [];
const queue = [...sample];

async function work(): Promise<void> {
  const workshop = new Workshop('.');
  try {
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const result = await workshop.try(mutant);
      tried.push(result);
      const { file, line, before, after, killedBy = 'SURVIVED', seconds } = result;
      console.log(
        `${tried.length}/${sample.length} ${killedBy} ${seconds} s ${file}:${line} ${before} -> ${after}`,
      );
      writeFileSync(
        values.out,
        `${JSON.stringify({ seed: values.seed, score: scores(), survived: survivors() }, null, 2)}\n`,
      );
    }
  } finally {
    workshop.remove();
  }
}

function survivors() {
  return tried
    .filter(({ killedBy }) => killedBy === undefined)
    .map(({ file, line, before, after }) => ({
      file,
      line,
      before,
      after,
      equivalent: reasonOf({ file, before, after }),
    }));
}

function reasonOf({
  file,
  before,
  after,
}: {
  file: string;
  before: string;
  after: string;
}): string | undefined {
  return equivalent[`${file}: ${before} -> ${after}`];
}

/** By room: how many were tried, are equivalent, and were killed of the others. */
function scores() {
  const all = [...rooms, 'all'].map((room) => {
    const own = tried.filter(({ file }) => room === 'all' || file.startsWith(`src/${room}/`));
    const same = own.filter((each) => each.killedBy === undefined && reasonOf(each) !== undefined).length;
    const killed = own.filter(({ killedBy }) => killedBy !== undefined).length;
    const share = own.length === same ? undefined : Number((killed / (own.length - same)).toFixed(3));
    return [room, { tried: own.length, equivalent: same, killed, share }];
  });
  return Object.fromEntries(all);
}

await Promise.all(Array.from({ length: Number(values.jobs) }, work));
console.log(JSON.stringify(scores(), null, 2));
