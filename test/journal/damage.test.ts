import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { randomFrom } from '../../scripts/random.ts';
import { compareNamed } from '../../src/api/compare/compare.ts';
import { gradeRun } from '../../src/api/grade/grade.ts';
import { mergeRuns } from '../../src/api/shards/merge.ts';
import { reportRun } from '../../src/api/report/report.ts';
import { updateBaseline } from '../../src/api/compare/update-baseline.ts';
import { checkRun, refuseDamaged } from '../../src/runs/journal/check-run.ts';
import { DamagedRun } from '../../src/runs/journal/damaged-run.ts';
import { JournalVersionError } from '../../src/runs/journal/line-opener.ts';
import { findNewestAttempts } from '../../src/runs/journal/newest-attempts.ts';
import { findRun, listRuns, RunDirectory } from '../../src/runs/journal/run-directory.ts';
import type { Finding } from '../../src/base/model/finding.ts';
import type { Reporter } from '../../src/show/reporters/reporter.ts';
import { createHtmlReport } from '../../src/show/view/html-report.ts';
import { readReport } from '../view/read-report.ts';
import { RunLibrary } from '../../src/show/view/run-library.ts';
import { factsOf } from '../../src/show/view/run-row.ts';
import { createRedactor } from '../../src/base/match/redact-secrets.ts';
import { createProject, runCli, startCli } from '../project.ts';
import { asVersion1 } from '../old-journal.ts';
import { runFolders } from '../run-folders.ts';
import { damageAtRandom } from './random-damage.ts';

/** `ASSAY_DAMAGE_ROUNDS=2000 npx vitest run test/journal/damage.test.ts` looks longer: every reader reads every damage. */
const LONG = process.env['ASSAY_DAMAGE_ROUNDS'];
const ROUNDS = Number(LONG ?? 240);
/** All of them ask the same function first, so that a short look asks that one more often than them. */
const ROUNDS_PER_READING = LONG === undefined ? 12 : 1;

const WEB = fileURLToPath(new URL('../../dist/web', import.meta.url));
const AGENT = `export const agent = (input) => {
  if (input === 'broken') throw new Error('it broke');
  return { output: input === 'bad' ? 'no' : input + ' 1 passed', tools_used: [], memory: { n: 1 } };
};`;
const suite = (...ids: readonly string[]): string =>
  JSON.stringify(ids.map((id) => ({ id, input: id, assert: { 'output.includes': id } })));

let project: ReturnType<typeof createProject>;
/** The only run of the project, and a copy of it as it was. */
let run: RunDirectory;
let whole: string;
const assay = (...args: readonly string[]) => runCli(args, { cwd: project.path });

beforeAll(async () => {
  project = createProject({
    'agent.mjs': AGENT,
    'a.test.json': suite('one', 'two', 'bad', 'broken'),
  });
  await assay('run', '--agent', './agent.mjs', '--repeats', '2');
  // A resumed run whose test has changed has two records of some attempts.
  writeFileSync(
    join(project.path, 'a.test.json'),
    suite('one', 'two', 'bad', 'broken').replace('"two"}', '"tw"}'),
  );
  await assay('run', '--agent', './agent.mjs', '--resume');
  run = new RunDirectory(runFolders(project.path)[0]!);
  whole = join(project.path, 'whole', basename(run.path));
  cpSync(run.path, whole, { recursive: true });
});
afterAll(() => project.remove());

function restore(): void {
  rmSync(join(project.path, '.assay'), { recursive: true });
  mkdirSync(join(project.path, '.assay', 'runs'), { recursive: true });
  cpSync(whole, run.path, { recursive: true });
}

/** What a reader reports about a damaged run. Undefined: it noticed nothing. */
type Reader = () => Promise<string | undefined> | string | undefined;

/** Both the exit code and the documents must say it. */
const told = (findings: readonly Finding[], exitCode: number): string | undefined =>
  exitCode === 2
    ? findings.find(({ code, severity }) => code === 'damaged_run' && severity === 'error')?.message
    : undefined;

/** Whoever reads a run, in this process: by the functions that the commands call. */
const READERS: Readonly<Record<string, Reader>> = {
  report: async () => {
    const findings: Finding[] = [];
    let exitCode = 0;
    const reporter: Reporter = {
      onFinding: (finding) => void findings.push(finding),
      onRunEnd: ({ exit_code }) => void (exitCode = exit_code),
    };
    const { damage } = await reportRun({ run, projectRoot: project.path, reporters: [reporter] });
    return damage.length > 0 ? told(findings, exitCode) : undefined;
  },
  merge: async () => {
    const { findings, exit_code, run_id } = await mergeRuns({ runs: [run], projectRoot: project.path });
    // What was derived from it is damaged too.
    const merged = findRun(project.path, run_id)!;
    expect(() => refuseDamaged(merged)).toThrow(DamagedRun);
    rmSync(merged.path, { recursive: true });
    return told(findings, exit_code);
  },
  grade: async () => {
    const { findings, exit_code } = await gradeRun({ run, projectRoot: project.path });
    return told(findings, exit_code);
  },
  compare: () => {
    const sides = { before: 'latest', after: 'latest', projectRoot: project.path };
    compareNamed(sides, { rule: 'regression', alpha: 0.05 });
    return undefined;
  },
  'baseline update': () => {
    updateBaseline(run, join(project.path, 'baseline.json'));
    return undefined;
  },
  '--last-failed': () => {
    const tests = new Map([['any', { fingerprint: '', target: '' }]]);
    const runs = listRuns(project.path);
    findNewestAttempts(new Map([['a.test.json', tests]]), { projectRoot: project.path, runs });
    return undefined;
  },
  page: async () => {
    const library = new RunLibrary({ projectRoot: project.path });
    const [listed] = await library.list();
    const opened = await library.row(run, factsOf(run));
    expect(listed?.damage).toEqual(opened.damage);
    expect(opened.state).toBe('damaged');
    return opened.damage?.join('\n');
  },
  'html report': async () => {
    const redactor = createRedactor({});
    const options = { projectRoot: project.path, redactor, webFolder: WEB };
    let html = '';
    for await (const piece of createHtmlReport(run, options)) html += piece;
    return readReport(html).run.damage?.join('\n');
  },
};

async function ask(reader: Reader): Promise<string | undefined> {
  try {
    return await reader();
  } catch (error) {
    if (error instanceof DamagedRun || error instanceof JournalVersionError) return error.message;
    throw error;
  }
}

const check: Reader = () => {
  refuseDamaged(run);
  return undefined;
};

const FILES = ['results.jsonl', 'results.jsonl', 'results.jsonl', 'summary.json', 'run.json'] as const;

test('no reader reports damage in an intact run', async () => {
  expect(checkRun(run)).toEqual([]);
  const said: Record<string, string | undefined> = {};
  for (const name of ['report', 'grade', 'compare', 'baseline update', '--last-failed', 'html report'])
    said[name] = await ask(READERS[name]!);
  expect(said).toEqual({});
});

test(
  'every reader notices random damage of any kind in any file of a run',
  { timeout: 60_000 + 500 * ROUNDS },
  async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const seed = 1000 * inject('seed') + round;
      const random = randomFrom(seed);
      const file = random.pick(FILES);
      const isRead = round % ROUNDS_PER_READING === 0;
      if (isRead) restore();
      else for (const name of new Set(FILES)) cpSync(join(whole, name), join(run.path, name));
      const { how, bytes } = damageAtRandom(readFileSync(join(whole, file)), random);
      writeFileSync(join(run.path, file), bytes);
      expect({ seed, file, how, said: await ask(check) }).not.toMatchObject({ said: undefined });
      if (!isRead) continue;
      for (const [name, reader] of Object.entries(READERS)) {
        let said: string | undefined;
        try {
          said = await ask(reader);
        } catch (error) {
          throw new Error(`seed ${seed}: ${file}, ${how}: ${name} failed`, { cause: error });
        }
        expect({ seed, file, how, name, isSaid: (said ?? '') !== '' }).toMatchObject({ isSaid: true });
      }
    }
  },
);

describe('the damage is named', () => {
  const journal = (): string => join(run.path, 'results.jsonl');
  const lines = (): string[] => readFileSync(join(whole, 'results.jsonl'), 'utf8').split('\n');
  const idOf = (line: string): string => (JSON.parse(line) as { id: string }).id;
  const write = (changed: readonly string[]): void => {
    restore();
    writeFileSync(journal(), changed.join('\n'));
  };
  const found = () => checkRun(run).map(({ line, id, message }) => ({ line, id, message }));

  test('a deleted line', () => {
    const id = idOf(lines()[3]!);
    write(lines().toSpliced(3, 1));
    expect(found()).toEqual([{ line: undefined, id, message: `the record of ${id} is missing` }]);
  });

  test('a changed record', () => {
    const id = idOf(lines()[3]!);
    write(lines().with(3, lines()[3]!.replace('"score":1', '"score":0')));
    expect(found()).toEqual([{ line: 4, id, message: `the record of ${id} is damaged` }]);
  });

  test('a record with another id', () => {
    const id = idOf(lines()[1]!);
    write(lines().with(1, lines()[1]!.replace('::one::', '::oNe::')));
    expect(found().map(({ line, message }) => [line, message])).toEqual([
      [2, `the record of ${id.replace('one', 'oNe')} is damaged`],
      [undefined, `the record of ${id} is missing`],
    ]);
  });

  test('a duplicate line', () => {
    const id = idOf(lines()[2]!);
    write(lines().toSpliced(5, 0, lines()[2]!));
    expect(found()).toEqual([{ line: 6, id, message: `the record of ${id} occurs twice` }]);
  });

  test('swapped lines', () => {
    const [a, b] = [lines()[1]!, lines()[3]!];
    write(lines().with(1, b).with(3, a));
    expect(found()).toEqual([
      { line: 2, id: idOf(b), message: `the record of ${idOf(b)} has moved: the run wrote it elsewhere` },
    ]);
  });

  test('every attempt, if the journal is empty or gone', () => {
    const ids = [...new Set(lines().slice(1, -1).map(idOf))].toSorted();
    write([]);
    expect(
      found()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(ids);
    rmSync(journal());
    expect(
      found()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(ids);
  });

  test('the journal of another run', () => {
    write(lines().with(0, '{"assay_journal":1,"run_id":"other"}'));
    expect(found()[0]).toMatchObject({ line: 1, message: 'this is the journal of another run, other' });
  });
});

type Json = Readonly<Record<string, unknown>>;

describe('a journal of version 1, without checksums', () => {
  /** As that version wrote it. */
  function writeOld(change: (lines: readonly string[]) => readonly string[]): void {
    restore();
    for (const name of ['run.json', 'summary.json']) {
      const path = join(run.path, name);
      const { crc32, sequence, journal, ...value } = JSON.parse(readFileSync(path, 'utf8')) as Json;
      expect([crc32, sequence ?? journal]).not.toContain(undefined);
      writeFileSync(path, JSON.stringify(value));
    }
    const lines = asVersion1(readFileSync(join(run.path, 'results.jsonl'), 'utf8')).split('\n');
    writeFileSync(join(run.path, 'results.jsonl'), change(lines).join('\n'));
  }
  const messages = (): readonly string[] => checkRun(run).map(({ message }) => message);

  test('is still read', async () => {
    writeOld((lines) => lines);
    expect(messages()).toEqual([]);
    expect(await ask(READERS['report']!)).toBeUndefined();
  });

  test('is checked by the number of its records', () => {
    writeOld((lines) => lines.filter((line) => !line.includes('::bad::./agent.mjs::2"')));
    expect(messages()).toEqual([
      'it contains the records of 7 attempts, but the summary counts 8: 1 are missing',
    ]);
  });

  test('has its damaged and duplicate records named', () => {
    writeOld((lines) => lines.with(2, lines[2]!.replace('"verdict":"passed"', '"verdict":"pass d"')));
    expect(messages()[0]).toMatch(/^the record of a\.test\.json::\w+::.* is damaged$/);
    writeOld((lines) => lines.toSpliced(2, 0, lines[2]!));
    expect(messages()).toEqual([expect.stringMatching(/occurs twice$/)]);
  });

  const PASSED = (line: string): string => line.replaceAll('"verdict":"failed"', '"verdict":"passed"');

  test.each([
    ['as that version wrote it', (lines: readonly string[]) => lines],
    ['without its header', (lines: readonly string[]) => lines.slice(1)],
  ])('is not trusted by --resume, which runs every attempt again with a warning: %s', async (_, change) => {
    writeOld((lines) => change(lines.map(PASSED)).concat(''));
    rmSync(join(run.path, 'summary.json'));
    const again = ['run', '--agent', './agent.mjs', '--repeats', '2', '--resume', '--reporter', 'json'];
    const { exitCode, stdout } = await assay(...again);
    const { findings, results } = JSON.parse(stdout) as {
      findings: Finding[];
      results: { verdict: string }[];
    };
    expect(exitCode).toBe(1);
    expect(findings).toContainEqual(
      expect.objectContaining({
        code: 'unsealed_records',
        severity: 'warning',
        message: expect.stringMatching(/^8 /),
      }),
    );
    expect(results.filter(({ verdict }) => verdict === 'failed').length).toBeGreaterThan(0);
    const lines = readFileSync(join(run.path, 'results.jsonl'), 'utf8').trimEnd().split('\n');
    expect(lines.filter((line) => line.includes('"crc32"')).length).toBeGreaterThanOrEqual(8);
    // What it wrote then has checksums, and is believed.
    const { findings: later } = JSON.parse((await assay(...again)).stdout) as { findings: Finding[] };
    expect(later.map(({ code }) => code)).not.toContain('unsealed_records');
  });
});

describe('on the command line', () => {
  const RUN = ['run', '--agent', './agent.mjs'];
  const lost = 'a.test.json::bad::./agent.mjs::2';

  function lose(): void {
    restore();
    const lines = readFileSync(join(whole, 'results.jsonl'), 'utf8').split('\n');
    writeFileSync(
      join(run.path, 'results.jsonl'),
      lines.filter((line) => !line.includes(`"${lost}"`)).join('\n'),
    );
  }

  test.each([
    [['report', '--junit', '-', '--json', 'report.json']],
    [['merge', 'latest', '--reporter', 'json']],
    [['grade']],
    [['compare', 'WHOLE', 'latest']],
    [['baseline', 'update']],
    [[...RUN, '--last-failed']],
    [[...RUN, '--shard', '1/2', '--shard-by', 'latest']],
    [[...RUN, '--baseline', 'latest', '--reporter', 'json']],
  ])('%j names the missing attempt and exits with 2', async (command) => {
    lose();
    const { exitCode, stdout, stderr } = await assay(
      ...command.map((word) => (word === 'WHOLE' ? whole : word)),
    );
    expect({ exitCode, said: stdout + stderr }).toEqual({ exitCode: 2, said: expect.stringContaining(lost) });
    expect(stdout + stderr).toContain(`--resume=${run.runId}`);
  });

  test('--resume names what it runs again, and completes the run', async () => {
    lose();
    const { exitCode, stdout } = await assay(...RUN, '--resume', '--reporter', 'json');
    const { findings, results } = JSON.parse(stdout) as { findings: Finding[]; results: { id: string }[] };
    expect(exitCode).toBe(1);
    expect(findings).toMatchObject([{ severity: 'warning', code: 'damaged_run' }]);
    expect(findings[0]!.message).toBe(`the record of ${lost} is missing`);
    expect(results.map(({ id }) => id)).toContain(lost);
    expect(checkRun(run)).toEqual([]);
    expect((await assay('report', '--junit', '-')).exitCode).toBe(0);
  });

  test('`assay view` of a damaged run names the damage in the terminal and exits with 2', async () => {
    lose();
    const { exitCode, stderr } = await startCli(['view', run.runId, '--no-open', '--port', '0'], {
      cwd: project.path,
      onStart: (child) => child.stderr!.once('data', () => child.kill('SIGINT')),
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(lost) });
  });

  test('an edited summary does not make a red run green', async () => {
    restore();
    const summary = join(run.path, 'summary.json');
    const edited = readFileSync(summary, 'utf8').replace('"exit_code": 1', '"exit_code": 0');
    writeFileSync(summary, edited);
    const { exitCode, stdout } = await assay('merge', run.path);
    expect(exitCode).toBe(2);
    expect(stdout).not.toContain('a bug in Assay');
  });

  test('a changed run.json is reported as damage of the run, not as a bug of Assay', async () => {
    const texts = [
      '{}',
      '[]',
      '{"files":[1]}',
      '{"files":[],"run_id":"x","started_at":"","options":3}',
      'x',
      '',
    ];
    for (const text of texts) {
      restore();
      writeFileSync(join(run.path, 'run.json'), text);
      for (const name of ['report', 'grade', 'merge']) expect(await ask(READERS[name]!)).toBeTypeOf('string');
    }
    const { exitCode, stderr } = await assay('grade', run.runId);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining('run.json: it is') });
    expect(stderr).not.toMatch(/defect|\n\s+at /);
  });
});
