import { mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createAttemptRunner, type AttemptRunnerOptions } from '../../src/api/worker/attempt-runner.ts';
import { hashFile } from '../../src/base/files/hash-file.ts';
import type { RunDescription } from '../../src/runs/journal/run-directory.ts';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { PROTOCOL, type AttemptReference, type RunOffer } from '../../src/run/queue/protocol.ts';
import { Refusal, type AttemptRunner } from '../../src/run/queue/run-member.ts';
import { version } from '../../src/base/system/version.ts';
import { createProject, runCli } from '../project.ts';

const AGENT = 'export const agent = (input) => ({ output: `Hello ${input}, s3cret-of-the-queue` });\n';
const SUITE =
  '- id: greets\n  input: Ann\n  assert: { output.includes: Hello }\n- id: fails\n  input: Bob\n  assert: { output.includes: Bye }\n';
const LINES =
  '{"id":"one","input":"Cid","evaluators":[{"type":"contains","value":"Cid"}]}\n{"id":"two","input":"Dot","evaluators":[{"type":"contains","value":"x"}]}\n';

const ROWS = {
  'c.eval.yaml':
    'tests:\n  - {id: row, each: rows.csv, input: "{{who}}", assert: [{type: contains, value: "{{who}}"}]}\n',
  'd.jsonl':
    '{"id":"line","each":"rows.csv","input":"{{who}}","evaluators":[{"type":"contains","value":"{{who}}"}]}\n',
  'rows.csv': 'id,who\nx,Eve\ny,Flo\nz,Gus\n',
};

let project: ReturnType<typeof createProject>;
let records: readonly AttemptRecord[];
/** By file, as the run wrote them down. */
let hashes: ReadonlyMap<string, string>;
const home = process.cwd();
const going = new AbortController().signal;
const makers: AttemptRunner[] = [];

beforeAll(async () => {
  project = createProject({ 'agent.mjs': AGENT, 'a.test.yaml': SUITE, 'b.jsonl': LINES, ...ROWS });
  // As another machine ran them: a worker must get the same results.
  const files = ['a.test.yaml', 'b.jsonl', 'c.eval.yaml', 'd.jsonl'];
  await runCli(['run', ...files, '--agent', './agent.mjs'], { cwd: project.path });
  const [run] = readdirSync(join(project.path, '.assay', 'runs'));
  const folder = join(project.path, '.assay', 'runs', run!);
  const description = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as RunDescription;
  hashes = new Map(description.files.map(({ file, hash }) => [file, hash]));
  const journal = readFileSync(join(folder, 'results.jsonl'), 'utf8');
  records = journal
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as AttemptRecord);
  process.chdir(project.path);
});
afterEach(async () => {
  for (const maker of makers.splice(0)) await maker.close();
});
afterAll(() => {
  process.chdir(home);
  project.remove();
});

function offer(more: Partial<RunOffer> = {}): RunOffer {
  return {
    protocol: PROTOCOL,
    version,
    run_id: 'r',
    owner: 'o',
    cwd: '',
    code: { 'agent.mjs': hashFile('agent.mjs') },
    agent: './agent.mjs',
    agents: [],
    settings: { threshold: 0.8, timeout_ms: 60_000, use_cache: false },
    lost_after_ms: 1000,
    beat: 1,
    beat_at: '',
    ...more,
  };
}

async function create(
  given: Partial<RunOffer> = {},
  options: Partial<AttemptRunnerOptions> = {},
): Promise<AttemptRunner | string> {
  const accepted: AttemptRunnerOptions = { secrets: ['s3cret-of-the-queue'], onAccept: () => {}, ...options };
  const maker = await createAttemptRunner(offer(given), accepted);
  if (maker instanceof Refusal) return maker.message;
  makers.push(maker);
  return maker;
}

function referenceTo(name: string): AttemptReference {
  const {
    id,
    file,
    line,
    test: own,
    target,
    repeat,
    fingerprint,
  } = records.find((each) => each.test === name)!;
  return { id, file, line, test: own, target, repeat, fingerprint };
}

/** The record, or why it was refused. */
async function made(maker: AttemptRunner | string, reference: AttemptReference, hash?: string) {
  if (typeof maker === 'string') return maker;
  try {
    const files = { [reference.file]: hash ?? hashes.get(reference.file)! };
    return (await maker.make(reference, files, going)).record;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

test('a worker runs what the run would have run, without its secrets, and accepts a run once', async () => {
  let accepted = 0;
  const maker = await create({}, { onAccept: () => accepted++ });
  for (const name of ['greets', 'fails', 'one', 'two']) {
    const { verdict, id, fingerprint, file } = records.find((each) => each.test === name)!;
    const record = await made(maker, referenceTo(name));
    expect(record).toMatchObject({ test: name, verdict, id, fingerprint, file });
    expect(JSON.stringify(record)).not.toContain('s3cret-of-the-queue');
    expect(JSON.stringify(record)).toContain('Hello');
  }
  expect(accepted).toBe(1);
  expect((maker as AttemptRunner).capacity).toBeGreaterThan(0);
});

test('data rows are found by id, in any order, and unknown rows are refused', async () => {
  const maker = await create();
  for (const name of ['row[y]', 'row[z]', 'row[x]', 'row[x]', 'line[z]', 'line[x]', 'line[y]', 'row[y]'])
    expect(await made(maker, referenceTo(name))).toMatchObject({ test: name, verdict: 'passed' });
  writeFileSync('rows.csv', ROWS['rows.csv'].replace('Gus', 'Hal'));
  try {
    expect(await made(await create(), referenceTo('row[x]'))).toMatch(/c\.eval\.yaml differs/);
    expect(await made(await create(), referenceTo('line[z]'))).toMatch(/line\[z\]/);
  } finally {
    writeFileSync('rows.csv', ROWS['rows.csv']);
  }
});

test.each<[string, Partial<RunOffer>, RegExp]>([
  ['another protocol', { protocol: PROTOCOL + 1 }, /install the same version/],
  ['another version', { version: '0.0.0' }, /Assay 0\.0\.0/],
  ['another folder', { cwd: 'sub' }, /started in sub and this worker in the root/],
  ['another agent', { agent: 'cmd: rm -rf x' }, /start the worker with the same --agent/],
  ['an address', { agent: 'https://somewhere' }, /start the worker with the same --agent/],
  ['an agent outside the project', { agent: '../agent.mjs' }, /start the worker with the same --agent/],
  ['an agent with other code', { code: { 'agent.mjs': '0' } }, /agent\.mjs differs/],
  ['code that is not here', { code: { 'more.mjs': '0' } }, /more\.mjs is not on this machine/],
  [
    'a suite outside the project',
    { agents: [{ file: '../a.yaml', target: undefined }] },
    /\.\.\/a\.yaml is not on/,
  ],
  ['a folder outside the project', { agents: [{ file: '..', target: undefined }] }, /outside the project/],
])('a run of %s is refused', async (_, given, reason) => {
  expect(await create(given)).toMatch(reason);
});

test('files outside the project are not read, whatever a run says', async () => {
  expect(await create({ code: { '../x': '0' } })).not.toBeTypeOf('string');
});

test("the worker's agent must be the run's", async () => {
  expect(await create({ agent: undefined }, { agent: './agent.mjs' })).toMatch(/has no --agent/);
  expect(await create({ agent: 'cmd: x' }, { agent: './agent.mjs' })).toMatch(/is for --agent cmd: x, /);
  expect(
    await create({ agent: 'cmd: node agent.mjs', code: {} }, { agent: 'cmd: node agent.mjs' }),
  ).not.toBeTypeOf('string');
});

test('another revision is refused if both are known', async () => {
  const [one, two] = ['1'.repeat(40), '2'.repeat(40)];
  expect(await create({ git_revision: one })).not.toBeTypeOf('string');
  mkdirSync('.git');
  writeFileSync('.git/HEAD', one);
  try {
    expect(await create({ git_revision: one })).not.toBeTypeOf('string');
    expect(await create({})).not.toBeTypeOf('string');
    expect(await create({ git_revision: two })).toMatch(/revision 222222222222 .* 111111111111:/);
  } finally {
    rmSync('.git', { recursive: true });
  }
});

test('a test that differs is refused', async () => {
  const greets = referenceTo('greets');
  const maker = await create();
  expect(await made(maker, { ...greets, fingerprint: 'other' })).toMatch(
    /"greets" of a\.test\.yaml.* differs? from where/,
  );
  expect(await made(maker, { ...greets, id: 'a.test.yaml::greets::other::1' })).toMatch(
    /differs? from where/,
  );
  expect(await made(maker, { ...greets, test: 'gone' })).toMatch(/a\.test\.yaml differs from where/);
  const one = referenceTo('one');
  expect(await made(maker, { ...one, line: 2 })).toMatch(/b\.jsonl differs from where/);
});

test('a file that differs, is missing, or is outside the project is refused', async () => {
  const greets = referenceTo('greets');
  expect(await made(await create(), greets, 'other')).toMatch(/a\.test\.yaml differs from where/);
  expect(await made(await create(), referenceTo('one'), 'other')).toMatch(/b\.jsonl differs from where/);
  expect(await made(await create(), { ...greets, file: 'gone.yaml' }, 'x')).toMatch(
    /gone\.yaml is not on this machine/,
  );
  symlinkSync(home, 'link');
  expect(await made(await create(), { ...greets, file: 'link/package.json' }, 'x')).toMatch(
    /outside the project/,
  );
  rmSync('link');
});

test('code unknown to the run is refused, and an agent that cannot be created gives its reason', async () => {
  expect(await made(await create({ code: {} }), referenceTo('greets'))).toMatch(
    /agent\.mjs is only on this machine/,
  );
  expect(await made(await create({ agent: './gone.mjs' }), referenceTo('greets'))).toMatch(/gone\.mjs/);
});

test('code that changed after this process loaded it is refused until the worker restarts', async () => {
  process.env['ASSAY_ISOLATE'] = 'false';
  expect(await made(await create(), referenceTo('greets'))).toMatchObject({ verdict: 'passed' });
  writeFileSync('agent.mjs', `${AGENT}// more\n`);
  try {
    expect(await made(await create(), referenceTo('greets'))).toMatch(
      /agent\.mjs changed after this worker loaded it/,
    );
  } finally {
    writeFileSync('agent.mjs', AGENT);
    delete process.env['ASSAY_ISOLATE'];
  }
  expect(await made(await create(), referenceTo('greets'))).toMatchObject({ verdict: 'passed' });
});

test('a worker runs as many attempts at once as configured', async () => {
  const maker = await create({}, { concurrency: 3 });
  await made(maker, referenceTo('greets'));
  expect((maker as AttemptRunner).capacity).toBe(3);
});
