import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import type { AttemptRecord, StepRecord } from '../../src/base/model/record.ts';
import type { RecordedToolCall } from '../../src/base/model/reply.ts';
import { createProject, runCli } from '../project.ts';

/** Sessions that real programs recorded, and what they hold. Where a field is left out, the recording does not tell. */
const FOLDER = fileURLToPath(new URL('../fixtures/evidence/sessions', import.meta.url));

interface ExpectedCall extends RecordedToolCall {
  readonly output_match?: 'contains' | 'starts_with';
}

interface ExpectedStep extends Pick<StepRecord, 'input' | 'output' | 'token_usage'> {
  readonly tool_calls: readonly ExpectedCall[];
}

interface Expected {
  readonly steps?: readonly ExpectedStep[];
  readonly attempts?: readonly (ExpectedStep & {
    readonly steps?: readonly ExpectedStep[];
    readonly foreign_scores?: object;
    readonly trial?: number;
    readonly epoch?: number;
  })[];
  readonly subagents?: number;
}

const project = createProject({});
afterAll(() => project.remove());

const vectors = JSON.parse(readFileSync(join(FOLDER, 'index.json'), 'utf8')) as readonly {
  readonly id: string;
  readonly files: readonly string[];
}[];

describe.each(vectors)('$id', ({ id, files }) => {
  test('is read as it was recorded', async () => {
    const expected = JSON.parse(readFileSync(join(FOLDER, id, 'expected.json'), 'utf8')) as Expected;
    const paths = files.map((file) => resolve(FOLDER, file));
    const { stdout, exitCode } = await runCli(['import', ...paths, '--reporter', 'json'], {
      cwd: project.path,
    });
    const { results, findings } = JSON.parse(stdout) as {
      readonly results: readonly AttemptRecord[];
      readonly findings: readonly { readonly code: string }[];
    };
    // The vector's model answers are in attributes of another form.
    expect(findings.filter(({ code }) => code !== 'telemetry_without_content')).toEqual([]);
    expect(exitCode).toBe(0);
    const attempts = expected.attempts ?? [expected as Required<Expected>];
    expect(results).toHaveLength(attempts.length);
    for (const [index, wanted] of attempts.entries()) {
      const record = results[index]!;
      expect(record).toMatchObject({ verdict: 'not_graded', assertions: [] });
      expect(record.score).toBeUndefined();
      const { steps = [wanted as ExpectedStep] } = wanted;
      checkSteps(record.steps, steps);
      if ('foreign_scores' in wanted) expect(record.foreign_scores).toEqual(wanted.foreign_scores);
      if ('trial' in wanted) expect(record.repeat).toBe(wanted.trial! + 1);
      if ('epoch' in wanted) expect(record.repeat).toBe(wanted.epoch);
      if ((wanted as ExpectedStep).token_usage === null) expect(record.token_usage).toBeUndefined();
    }
    if (expected.subagents !== undefined)
      expect(results[0]!.metadata).toMatchObject({ subagents: expected.subagents });
  });
});

const STEP_FIELDS: ReadonlySet<string> = new Set(['input', 'output', 'models', 'model_calls', 'cost_usd']);

function checkSteps(steps: readonly StepRecord[], wanted: readonly ExpectedStep[]): void {
  expect(steps).toHaveLength(wanted.length);
  for (const [index, expected] of wanted.entries()) {
    const step = steps[index]!;
    const { tool_calls: calls = [], token_usage, ...rest } = expected;
    const told = Object.entries(rest).filter(([name]) => STEP_FIELDS.has(name));
    expect(step).toMatchObject({ ...Object.fromEntries(told), evidence: { output: 'recognised' } });
    if (token_usage !== undefined) expect(step.token_usage ?? null).toEqual(token_usage);
    expect(step.tool_calls?.map(({ tool }) => tool)).toEqual(calls.map(({ tool }) => tool));
    for (const [place, { output_match, output, ...call }] of calls.entries()) {
      const made = step.tool_calls![place]!;
      expect(made).toMatchObject(call);
      if (output === undefined) continue;
      if (output_match === 'contains') expect(made.output).toContain(output);
      else if (output_match === 'starts_with')
        expect((made.output as string).startsWith(output as string)).toBe(true);
      else expect(made.output).toEqual(output);
    }
  }
}

test('a main file without those of its sub-agents tells of the main conversation alone', async () => {
  const folder = join(FOLDER, 'claude-code-subagent');
  const { main_file_only: wanted } = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as {
    readonly main_file_only: object;
  };
  const { stdout } = await runCli(['import', join(folder, 'session.jsonl'), '--reporter', 'json'], {
    cwd: project.path,
  });
  const { results } = JSON.parse(stdout) as { readonly results: readonly AttemptRecord[] };
  expect(results[0]!.steps[0]).toMatchObject(wanted);
});

test('a sub-agent belongs to the turn in which it began', async () => {
  const folder = join(FOLDER, 'claude-code-subagent');
  const main = readFileSync(join(folder, 'session.jsonl'), 'utf8');
  const later = (line: string): string =>
    line.replaceAll('2026-11-15T', '2026-11-16T').replaceAll(/"(uuid|id|tool_use_id)":"/g, '"$1":"later-');
  const second = main
    .split('\n')
    .find((line) => line.includes('"type":"user"') && line.includes('Please delegate it'))!;
  const sub = 'subagents/agent-a59c37ecc024d1941.jsonl';
  const own = createProject({
    'session.jsonl': `${main}${later(second)}\n`,
    [sub]: readFileSync(join(folder, sub), 'utf8'),
  });
  try {
    const { stdout } = await runCli(['import', '.', '--reporter', 'json'], { cwd: own.path });
    const { results } = JSON.parse(stdout) as { readonly results: readonly AttemptRecord[] };
    expect(results).toHaveLength(1);
    expect(
      results[0]!.steps.map(({ tool_calls: calls = [] }) => calls.map(({ tool, agent }) => [tool, agent])),
    ).toEqual([
      [
        ['Agent', undefined],
        ['Bash', 'Agent'],
      ],
      [],
    ]);
  } finally {
    own.remove();
  }
});

test('a folder is imported with everything in it, and what is no recording is named', async () => {
  const { stdout, exitCode } = await runCli(['import', FOLDER, '--reporter', 'json'], { cwd: project.path });
  const { results, findings, summary } = JSON.parse(stdout) as {
    readonly results: readonly AttemptRecord[];
    readonly findings: readonly { readonly code: string; readonly severity: string; readonly file: string }[];
    readonly summary: { readonly not_graded: number; readonly passed: number };
  };
  expect(exitCode).toBe(0);
  expect(results).toHaveLength(vectors.length);
  expect(summary).toMatchObject({ not_graded: vectors.length, passed: 0 });
  const others = findings.filter(({ code }) => code === 'other_file');
  expect(others.every(({ severity }) => severity === 'warning')).toBe(true);
  expect(others.map(({ file }) => basename(file))).not.toContain('session.jsonl');
});
