// The server of `assay view` over 100,000 results and over 1,000 runs, against a bare loop that reads the journal and
// calls JSON.parse.
import { spawn } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CLI, count, row, runNode, withProject } from './measure.mjs';
import { writeRun } from './write-run.mjs';

const RESULTS = 100_000;
const RUNS = 1000;
const LARGE = '20260101T000000-000-00000000';

const BARE_LOOP = `
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
const start = performance.now();
let count = 0;
for await (const line of createInterface({ input: createReadStream(process.argv[1]), crlfDelay: Infinity })) {
  if (JSON.parse(line).id !== undefined) count++;
}
console.log((performance.now() - start) / 1000);
`;

export function benchView() {
  return withProject({}, async (folder) => {
    const journal = writeRun(folder, { run_id: LARGE, sequence: 1, records: recordsOf(RESULTS) });
    for (let number = 1; number < RUNS; number++) {
      const run_id = `20260102T000000-000-${String(number).padStart(8, '0')}`;
      writeRun(folder, { run_id, sequence: number + 1, records: recordsOf(20) });
    }
    const rounds = [];
    for (let round = 0; round < 3; round++) {
      const { stdout } = await runNode(['--input-type=module', '-e', BARE_LOOP, journal]);
      rmSync(join(folder, '.assay/cache'), { recursive: true, force: true });
      rounds.push({ bare: Number(stdout), ...(await measureView(folder)) });
    }
    const size = `${count(RESULTS)} results (${count(statSync(journal).size / 1e6)} MB)`;
    const bare = median(rounds, 'bare');
    return WHAT.map(([name, what, target]) =>
      row(`view: ${what.replace('SIZE', size)}, against parsing the journal`, bare, median(rounds, name), {
        target,
      }),
    );
  });
}

const WHAT = [
  ['firstRows', 'first rows of SIZE, nothing known before'],
  ['allRows', 'all rows of SIZE, nothing known before', '3x'],
  ['again', 'all rows again'],
  ['firstSearch', 'first search through the conversations of SIZE, of words in one of them', '1x'],
  ['prepare', 'reading the conversations of SIZE, which the page does before anybody types', '4x'],
  ['search', 'search through the conversations of SIZE, once read', '0.2x'],
  ['commonSearch', 'search through the conversations of SIZE, once read, of a word in all of them', '0.2x'],
  ['record', 'one record'],
  ['firstList', 'list of 1,000 runs, nothing known before'],
  ['list', 'list of 1,000 runs, again'],
  ['history', 'history of a test over 200 runs'],
];

async function measureView(folder) {
  const { child, origin, token } = await startView(folder);
  const get = (path) => fetch(`${origin}${path}`, { headers: { Authorization: `Bearer ${token}` } });
  const time = async (path) => {
    const start = performance.now();
    await (await get(path)).text();
    return (performance.now() - start) / 1000;
  };
  await time('/');
  const start = performance.now();
  const reader = (await get(`/api/runs/${LARGE}/results`)).body.getReader();
  await reader.read();
  const firstRows = (performance.now() - start) / 1000;
  while (!(await reader.read()).done);
  const allRows = (performance.now() - start) / 1000;
  const times = {
    firstRows,
    allRows,
    again: await time(`/api/runs/${LARGE}/results`),
    firstSearch: await time(`/api/runs/${LARGE}/search?text=question%202%20of%2070000`),
    prepare: await time(`/api/runs/${LARGE}/search`),
    search: await time(`/api/runs/${LARGE}/search?text=question%202%20of%2070000`),
    commonSearch: await time(`/api/runs/${LARGE}/search?text=answer`),
    record: await time(`/api/runs/${LARGE}/results/70000`),
    firstList: await time('/api/runs'),
  };
  await allKnown(get);
  times.list = await time('/api/runs');
  times.history = await time('/api/history?file=tests/file-7.eval.yaml&test=case-7&target=default');
  child.kill('SIGINT');
  await new Promise((done) => child.once('close', done));
  return times;
}

async function allKnown(get) {
  for (;;) {
    const { runs } = await (await get('/api/runs')).json();
    if (runs.every(({ by_target }) => by_target.length > 0)) return;
  }
}

function startView(cwd) {
  const child = spawn(process.execPath, [CLI, 'view', '--port', '0'], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((done) =>
    child.stdout.once('data', (text) => {
      const { origin, searchParams } = new URL(String(text).split('\n')[0]);
      done({ child, origin, token: searchParams.get('token') });
    }),
  );
}

function* recordsOf(length) {
  for (let index = 0; index < length; index++) yield record(index);
}

/** As the writer lays it out: about 2.5 kB, every tenth one failed. */
function record(index) {
  const file = `tests/file-${index % 50}.eval.yaml`;
  const hasFailed = index % 10 === 9;
  const steps = Array.from({ length: 3 }, (_, step) => ({
    line: 12 + step,
    input: `Question ${step} of ${index}`,
    input_messages: [{ role: 'user', content: `Question ${step} of ${index}` }],
    output: 'An answer of some words. '.repeat(10),
    tools_used: ['search'],
    tool_calls: [{ tool: 'search', input: { query: 'flights' }, output: { hits: [1, 2, 3] } }],
    memory_before: { turn: step },
    memory: { turn: step + 1 },
    assertions: [assertion(file, hasFailed && step === 2)],
    duration_ms: 12.5,
  }));
  return {
    id: `${file}::case-${index}::default::1`,
    file,
    line: 10 + (index % 500),
    column: 3,
    test: `case-${index}`,
    description: `What case ${index} is about`,
    tags: ['smoke'],
    target: 'default',
    repeat: 1,
    fingerprint: '0123456789abcdef',
    verdict: hasFailed ? 'failed' : 'passed',
    score: hasFailed ? 0.5 : 1,
    steps,
    assertions: [],
    retries: 0,
    token_usage: { input: 100, output: 20 },
    cost_usd: 0.0012,
    started_at: '2026-01-01T00:00:00.000Z',
    duration_ms: 50 + (index % 100),
  };
}

function assertion(file, hasFailed) {
  return {
    form: 'claim',
    kind: 'output.includes',
    name: 'output.includes',
    weight: 1,
    score: hasFailed ? 0 : 1,
    passed: !hasFailed,
    expected: 'an answer',
    message: hasFailed ? 'the output does not contain the text' : 'it does',
    file,
    line: 14,
    column: 5,
  };
}

function median(rounds, name) {
  return rounds.map((round) => round[name]).toSorted((a, b) => a - b)[Math.floor(rounds.length / 2)];
}
