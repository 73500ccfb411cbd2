import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunLabels } from '../../src/base/model/label.ts';
import type { AssertionRecord, AttemptRecord } from '../../src/base/model/record.ts';
import { assertionRecord, attemptRecord } from '../attempt-record.ts';
import { createFifo } from '../formats/temp-folder.ts';
import { runCli } from '../project.ts';
import { createViewProject, killStarted, startView, type RunningView } from './view-project.ts';
import { writeRun } from './write-run.ts';

const project = createViewProject();
const RUN = '20260101T000000-000-00000001';
const OTHER = '20260101T000000-000-00000002';
let view: RunningView;

/** Right and wrong ones, of which the judge got one wrong. */
function recordOf(index: number, more: Partial<AttemptRecord> = {}): AttemptRecord {
  const passed = index !== 1;
  const judge = assertionRecord({
    form: 'evaluator',
    kind: 'llm_judge',
    name: 'tone',
    passed,
    score: Number(passed),
    judge_calls: 1,
    message: `verdict ${index}`,
  });
  return attemptRecord({
    id: `a::t${index}::fast::1`,
    test: `t${index}`,
    target: 'fast',
    verdict: passed ? 'passed' : 'failed',
    score: Number(passed),
    assertions: [judge],
    started_at: `2026-01-01T00:00:0${index}.000Z`,
    ...more,
  });
}

const folder = (run: string): string => join(project.path, '.assay/runs', run);
const labelsFile = (run = RUN): string => join(folder(run), 'labels.jsonl');

beforeAll(async () => {
  writeRun(project.path, { run_id: RUN, records: [0, 1, 2, 3].map((index) => recordOf(index)) });
  writeRun(project.path, { run_id: OTHER, records: [recordOf(0)] });
  view = await startView(project.path, ['--labels']);
});
afterAll(killStarted);
afterAll(async () => {
  await view.stop();
  project.remove();
});

interface Sent {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | undefined;
  readonly to?: RunningView;
}
interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A request exactly as it is given. */
function send({
  path = `/api/runs/${RUN}/labels`,
  method = 'POST',
  headers = {},
  body,
  to = view,
}: Sent): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const given = Object.entries({ ...length, ...headers }).filter(([, value]) => value !== undefined);
    const all = Object.fromEntries(given);
    const sent = request({ host: '127.0.0.1', port: to.port, path, method, headers: all, agent: false });
    sent.on('error', reject).on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
    });
    sent.end(body);
  });
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const bearer = (to = view): OutgoingHttpHeaders => ({ Authorization: `Bearer ${to.token}`, ...JSON_TYPE });
const asBrowser = (): OutgoingHttpHeaders => ({
  Cookie: `assay_${view.port}=${view.token}`,
  Origin: `http://127.0.0.1:${view.port}`,
  'Sec-Fetch-Site': 'same-origin',
  ...JSON_TYPE,
});
const labelOf = (index: number, more: object = {}): string =>
  JSON.stringify({
    index,
    id: `a::t${index}::fast::1`,
    started_at: `2026-01-01T00:00:0${index}.000Z`,
    label: 'right',
    ...more,
  });
const labels = (run = RUN): Promise<RunLabels> => view.json(`/api/runs/${run}/labels`);
const lines = (run = RUN): readonly string[] =>
  existsSync(labelsFile(run)) ? readFileSync(labelsFile(run), 'utf8').split('\n').slice(0, -1) : [];

describe('who may write labels', () => {
  test.each<[string, number, () => Sent]>([
    ['without a token', 401, () => ({ headers: { ...JSON_TYPE, Origin: `http://127.0.0.1:${view.port}` } })],
    ['with a wrong token', 401, () => ({ headers: { ...JSON_TYPE, Authorization: 'Bearer wrong' } })],
    ['with a cookie and no origin', 403, () => ({ headers: { ...asBrowser(), Origin: undefined } })],
    ['from another site', 403, () => ({ headers: { ...asBrowser(), Origin: 'https://evil.example' } })],
    ['from another port', 403, () => ({ headers: { ...asBrowser(), Origin: 'http://127.0.0.1:1' } })],
    ['from no origin at all', 403, () => ({ headers: { ...asBrowser(), Origin: 'null' } })],
    [
      'from another site of the machine',
      403,
      () => ({ headers: { ...asBrowser(), 'Sec-Fetch-Site': 'same-site' } }),
    ],
    ['from a bookmark', 403, () => ({ headers: { ...asBrowser(), 'Sec-Fetch-Site': 'none' } })],
    ['through another name', 403, () => ({ headers: { ...bearer(), Host: `evil.example:${view.port}` } })],
    [
      'as a form',
      415,
      () => ({ headers: { ...asBrowser(), 'Content-Type': 'application/x-www-form-urlencoded' } }),
    ],
    [
      'as text, which needs no question before',
      415,
      () => ({ headers: { ...asBrowser(), 'Content-Type': 'text/plain' } }),
    ],
    [
      'as JSON with more behind it',
      415,
      () => ({ headers: { ...bearer(), 'Content-Type': 'application/json; x=text/plain' } }),
    ],
    [
      'in pieces of no known length',
      411,
      () => ({ headers: { ...bearer(), 'Transfer-Encoding': 'chunked', 'Content-Length': undefined } }),
    ],
    ['compressed', 415, () => ({ headers: { ...bearer(), 'Content-Encoding': 'gzip' } })],
    ['with too much', 413, () => ({ headers: bearer(), body: labelOf(0, { note: 'x'.repeat(40_000) }) })],
    ['by PUT', 405, () => ({ method: 'PUT', headers: bearer() })],
    ['by DELETE', 405, () => ({ method: 'DELETE', headers: bearer() })],
    ['to a run', 405, () => ({ path: `/api/runs/${RUN}`, headers: bearer() })],
    ['to results', 405, () => ({ path: `/api/runs/${RUN}/results/0`, headers: bearer() })],
    ['to the list of runs', 405, () => ({ path: '/api/runs', headers: bearer() })],
    ['to the page', 405, () => ({ path: '/', headers: bearer() })],
    ['below labels', 405, () => ({ path: `/api/runs/${RUN}/labels/0`, headers: bearer() })],
    ['with a query', 405, () => ({ path: `/api/runs/${RUN}/labels?x=1`, headers: bearer() })],
    ['to a folder elsewhere', 404, () => ({ path: '/api/runs/..%2f..%2fsecret/labels', headers: bearer() })],
    ['to no run', 404, () => ({ path: '/api/runs/nothing/labels', headers: bearer() })],
  ])('nobody %s', async (_, status, sent) => {
    const before = JSON.stringify([lines(), readdirSync(folder(RUN)).sort()]);
    const answered = await send({ body: labelOf(0), ...sent() });
    expect(answered.status).toBe(status);
    expect(JSON.stringify([lines(), readdirSync(folder(RUN)).sort()])).toBe(before);
    expect(Object.keys(answered.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    if (status === 405) expect(answered.headers.allow).toMatch(/^GET/);
  });

  test('nobody on a server without --labels, which still shows them', async () => {
    const plain = await startView(project.path);
    try {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const { status, headers } = await send({
          to: plain,
          method,
          headers: bearer(plain),
          body: labelOf(0),
        });
        expect([method, status, headers.allow]).toEqual([method, 405, 'GET']);
      }
      expect(await plain.json(`/api/runs/${RUN}/labels`)).toEqual({ labels: [], unreadable: 0 });
      expect(existsSync(labelsFile())).toBe(false);
    } finally {
      await plain.stop();
    }
  });

  test.each([
    ['[]', 'a label is an object'],
    ['{"index":0', 'a label is an object'],
    ['"\xff"', 'a label is an object'],
    [labelOf(0, { label: 'maybe' }), '`label` must be'],
    [labelOf(0, { path: '/etc' }), 'no field `path`'],
    [labelOf(0, { index: -1 }), '`index`'],
    [labelOf(0, { index: 1e99 }), '`index`'],
    [labelOf(0, { note: 7 }), '`note`'],
    [labelOf(0, { note: 'x'.repeat(4001) }), 'at most 4000'],
    [labelOf(0, { by: '' }), '`by`'],
    [labelOf(0, { by: 'a\nb' }), '`by`'],
  ])('%s is refused with a reason', async (body, reason) => {
    const { status, text } = await send({ headers: bearer(), body });
    expect([status, text]).toEqual([400, expect.stringContaining(reason)]);
    expect(lines()).toEqual([]);
  });
});

describe('written labels', () => {
  test('have one line each, with person, time and answer; the later one counts and can be withdrawn', async () => {
    const first = await send({
      headers: asBrowser(),
      body: labelOf(0, { label: 'wrong', note: 'No "price"\n<b>', by: 'Ada', blind: true }),
    });
    expect(first.status).toBe(201);
    await send({ headers: bearer(), body: labelOf(0, { by: 'Bob' }) });
    await send({ headers: bearer(), body: labelOf(1, { label: 'right', by: 'Ada' }) });
    await send({ headers: bearer(), body: labelOf(1, { label: null, by: 'Ada' }) });
    await send({ headers: bearer(), body: labelOf(0, { by: 'Ada' }) });
    expect(lines().map((line) => JSON.parse(line) as object)).toMatchObject([
      { id: 'a::t0::fast::1', label: 'wrong', note: 'No "price"\n<b>', by: 'Ada', blind: true },
      { label: 'right', by: 'Bob' },
      { id: 'a::t1::fast::1', label: 'right', by: 'Ada' },
      { label: null, by: 'Ada' },
      { label: 'right', by: 'Ada' },
    ]);
    const { labels: now, by } = await labels();
    expect(now.map(({ label, by: who, index }) => [label, who, index])).toEqual([
      ['right', 'Bob', 0],
      ['right', 'Ada', 0],
    ]);
    expect(by).toMatch(/./);
    expect(readdirSync(folder(RUN)).sort()).toEqual([
      'labels.jsonl',
      'results.jsonl',
      'run.json',
      'summary.json',
    ]);
  });

  test('lose at most one line in a crash', async () => {
    appendFileSync(labelsFile(), '{"id":"a::t2::fast::1","record":"half of a li');
    expect(await labels()).toMatchObject({ unreadable: 1, labels: [{}, {}] });
    expect(await send({ headers: bearer(), body: labelOf(2) })).toMatchObject({ status: 201 });
    expect(await labels()).toMatchObject({ unreadable: 1, labels: [{}, {}, { index: 2, label: 'right' }] });
    appendFileSync(labelsFile(), 'null\n[]\n{"id":1}\n\n');
    expect((await labels()).unreadable).toBe(4);
  });

  test('are all kept if two servers write many at once', async () => {
    const second = await startView(project.path, ['--labels']);
    try {
      const before = lines().length;
      const all = Array.from({ length: 40 }, (_, count) => {
        const to = count % 2 === 0 ? view : second;
        return send({
          to,
          headers: bearer(to),
          body: labelOf(3, { by: `person ${count}`, note: 'n'.repeat(3000) }),
        });
      });
      expect((await Promise.all(all)).every(({ status }) => status === 201)).toBe(true);
      expect(lines().length).toBe(before + 40);
      expect((await labels()).labels.filter(({ index }) => index === 3).length).toBe(40);
    } finally {
      await second.stop();
    }
  });

  test('do not apply to another answer, of a repeated result or one that the page did not show', async () => {
    await send({ path: `/api/runs/${OTHER}/labels`, headers: bearer(), body: labelOf(0) });
    expect(await labels(OTHER)).toMatchObject({ labels: [{ index: 0 }] });
    const stale = labelOf(0, { started_at: '2025-01-01T00:00:00.000Z' });
    expect(await send({ path: `/api/runs/${OTHER}/labels`, headers: bearer(), body: stale })).toMatchObject({
      status: 409,
      text: expect.stringContaining('reload'),
    });
    // As a resumed run does it: a second record of the same attempt.
    writeRun(project.path, { run_id: OTHER, records: [recordOf(0), recordOf(0, { duration_ms: 9 })] });
    const { labels: now } = await labels(OTHER);
    expect(now).toHaveLength(1);
    expect(now[0]).not.toHaveProperty('index');
    const checked = await runCli(['judge-check', OTHER], { cwd: project.path });
    expect([checked.exitCode, checked.stderr]).toEqual([2, expect.stringContaining('no longer has')]);
  });

  test('are not written through a link, and do not recreate a deleted run', async () => {
    const target = join(project.path, 'elsewhere.txt');
    writeFileSync(target, 'mine\n');
    rmSync(labelsFile(OTHER));
    symlinkSync(target, labelsFile(OTHER));
    const path = `/api/runs/${OTHER}/labels`;
    const body = labelOf(0, { index: 1 });
    expect(await send({ path, headers: bearer(), body })).toMatchObject({
      status: 409,
      text: expect.stringContaining('link'),
    });
    expect(await labels(OTHER)).toMatchObject({ labels: [], unreadable: 1 });
    expect(readFileSync(target, 'utf8')).toBe('mine\n');
    // The same for its folder: the run is shown, and nothing is written where the link leads.
    const elsewhere = join(project.path, 'elsewhere');
    rmSync(labelsFile(OTHER));
    renameSync(folder(OTHER), elsewhere);
    symlinkSync(elsewhere, folder(OTHER));
    expect(
      (await send({ path: `/api/runs/${OTHER}/results`, method: 'GET', headers: bearer() })).status,
    ).toBe(200);
    expect(await send({ path, headers: bearer(), body })).toMatchObject({
      status: 409,
      text: expect.stringContaining('link'),
    });
    expect(existsSync(join(elsewhere, 'labels.jsonl'))).toBe(false);
    rmSync(folder(OTHER), { recursive: true });
    expect(await send({ path, headers: bearer(), body: labelOf(0) })).toMatchObject({ status: 404 });
    expect(existsSync(folder(OTHER))).toBe(false);
  });

  test('are refused with a clear answer for a damaged record or an unwritable folder', async () => {
    const run = '20260101T000000-000-00000003';
    writeRun(project.path, { run_id: run, records: [recordOf(0), recordOf(1)] });
    const path = `/api/runs/${run}/labels`;
    expect(await send({ path, headers: bearer(), body: labelOf(0, { by: 'Ada' }) })).toMatchObject({
      status: 201,
    });
    const journal = join(folder(run), 'results.jsonl');
    const bytes = readFileSync(journal, 'utf8');
    writeFileSync(journal, bytes.replace('"test":"t1"', '"test":"T1"'));
    expect(await send({ path, headers: bearer(), body: labelOf(1) })).toMatchObject({
      status: 409,
      text: expect.stringContaining('damaged'),
    });
    if (process.getuid?.() !== 0) {
      chmodSync(labelsFile(run), 0o400);
      expect(await send({ path, headers: bearer(), body: labelOf(0) })).toMatchObject({ status: 409 });
    }
    const { exitCode, stderr } = await runCli(['judge-check', run], { cwd: project.path });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('damaged')]);
  });
});

test.skipIf(process.platform === 'win32')(
  'do not block if a pipe or a folder is in the place of the file',
  async () => {
    const run = '20260101T000000-000-00000004';
    writeRun(project.path, { run_id: run, records: [recordOf(0)] });
    const path = `/api/runs/${run}/labels`;
    createFifo(labelsFile(run));
    expect(await labels(run)).toMatchObject({ labels: [], unreadable: 1 });
    const written = await send({ path, headers: bearer(), body: labelOf(0) });
    expect(written).toMatchObject({ status: 409, text: expect.stringContaining('is not a file') });
    const checked = await runCli(['judge-check', run], { cwd: project.path });
    expect([checked.exitCode, checked.stderr]).toEqual([2, expect.stringContaining('has no label that can')]);
    rmSync(labelsFile(run));
    mkdirSync(labelsFile(run));
    const inFolder = await send({ path, headers: bearer(), body: labelOf(0) });
    expect(inFolder).toMatchObject({ status: 409, text: expect.stringContaining('is a folder') });
    // The page may be on another machine.
    expect(inFolder.text).not.toContain(project.path);
  },
);

test('are refused for a skipped test, and a client that disconnects is not an error', async () => {
  const run = '20260101T000000-000-00000005';
  writeRun(project.path, { run_id: run, records: [recordOf(0, { verdict: 'skipped', steps: [] })] });
  const path = `/api/runs/${run}/labels`;
  const skipped = await send({ path, headers: bearer(), body: labelOf(0) });
  expect(skipped).toMatchObject({ status: 409, text: expect.stringContaining('skipped') });
  await new Promise<void>((resolve) => {
    const headers = { ...bearer(), 'Content-Length': 100 };
    const sent = request({ host: '127.0.0.1', port: view.port, path, method: 'POST', headers, agent: false });
    sent.on('error', () => {}).on('close', resolve);
    sent.write('{"index":', () => setTimeout(() => sent.destroy(), 100));
  });
  // A later answer comes after what the server did about the earlier request.
  expect((await labels(run)).labels).toEqual([]);
  expect(view.printed.stderr).toBe('');
});

test('judge-check handles judges of one name, lines that are not labels, and results without a verdict', async () => {
  const run = '20260101T000000-000-00000006';
  const judge = (passed: boolean | undefined): AssertionRecord =>
    assertionRecord({ form: 'evaluator', kind: 'llm_judge', name: 'tone', passed, judge_calls: 1 });
  const records = [
    recordOf(0, { assertions: [judge(undefined), judge(false)] }),
    recordOf(1, { assertions: [judge(false), judge(undefined)] }),
    recordOf(2, { assertions: [judge(true), judge(undefined)] }),
    recordOf(3, { verdict: 'error', score: undefined, assertions: [] }),
  ];
  writeRun(project.path, { run_id: run, records });
  const path = `/api/runs/${run}/labels`;
  for (const index of records.keys())
    await send({ path, headers: bearer(), body: labelOf(index, { label: 'wrong' }) });
  appendFileSync(labelsFile(run), 'not a label\n');
  const { exitCode, stdout } = await runCli(['judge-check', run, '--json'], { cwd: project.path });
  expect(exitCode).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({
    labels: 4,
    unreadable: 1,
    reports: [
      { judge: 'tone', examples: 3, errors: 1, agreement: { count: 2, total: 2 } },
      { examples: 4, errors: 1, agreement: { count: 1, total: 3 } },
    ],
  });
});

test('judge-check compares the judges of a run with its labels, without calling a model', async () => {
  rmSync(labelsFile());
  for (const [index, label] of ['right', 'wrong', 'wrong', 'right'].entries())
    await send({ headers: bearer(), body: labelOf(index, { label, by: 'Ada' }) });
  await send({ headers: bearer(), body: labelOf(3, { label: 'wrong', by: 'Bob' }) });
  await send({ headers: bearer(), body: labelOf(3, { label: 'right', by: 'Cleo' }) });
  const { exitCode, stdout } = await runCli(['judge-check', folder(RUN)], { cwd: project.path });
  expect(exitCode).toBe(0);
  expect(stdout).toContain(
    `4 labelled results of the run ${RUN}; 1 on which people differ, with the latest label`,
  );
  expect(stdout).toContain(`tone on 4 examples
  agreement            3/4 = 75.0% (95%: 30.1% to 95.4%)
  Cohen's kappa        0.50, moderate agreement`);
  expect(stdout).toContain('a::t2::fast::1 passed by the judge only (label 0, score 1): verdict 2');
  const json = JSON.parse(
    (await runCli(['judge-check', RUN, '--json'], { cwd: project.path })).stdout,
  ) as object;
  expect(json).toMatchObject({
    run_id: RUN,
    labels: 4,
    disputed: 1,
    stale: 0,
    reports: [{ judge: 'tone', kappa: 0.5 }, {}],
  });
  // It would change nothing: the verdicts were recorded with their own threshold.
  const limit = await runCli(['judge-check', RUN, '--threshold', '0.1'], { cwd: project.path });
  expect([limit.exitCode, limit.stderr]).toEqual([2, expect.stringContaining('--threshold is for asking')]);
  const asked = await runCli(['judge-check', RUN, '--judge', 'openai:x'], { cwd: project.path });
  expect([asked.exitCode, asked.stderr]).toEqual([
    2,
    expect.stringContaining('--judge is for asking a judge again'),
  ]);
  // As somebody writes one by hand.
  const [line] = lines();
  const byHand = {
    ...(JSON.parse(line!) as object),
    by: 'Eve',
    note: 'the key is hunter2-hunter2 </script>',
  };
  appendFileSync(labelsFile(), `${JSON.stringify(byHand)}\n`);
  const report = join(project.path, 'report.html');
  const env = { MY_API_KEY: 'hunter2-hunter2' };
  await runCli(['report', RUN, '--html', report], { cwd: project.path, env });
  const html = readFileSync(report, 'utf8');
  expect(html).toContain('"by":"Cleo"');
  expect(html).toContain('"by":"Eve"');
  expect(html).not.toContain('hunter2');
});
