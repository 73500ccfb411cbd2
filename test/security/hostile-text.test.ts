import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject, runCli, type CliResult } from '../project.ts';

/** Text that does something when it is shown by somebody who trusts it. */
const NAUGHTY = [
  '\u001b[31mred\u001b[0m',
  '\u001b]0;title\u0007',
  '\u009b2J',
  'back\b\b\bspace',
  '\r\nnew line',
  '\u202ereversed',
  '\u2066isolated\u2069',
  '::error file=a.ts::injected',
  '##[error]injected',
  '<script>alert(1)</script>',
  ']]>&xxe;',
  '=cmd|calc',
  '`rm -rf`',
  '$(id)',
  '\ud83d',
  '\u0000nul',
  '\ufeffmark',
  '😀 日本語 العربية',
  '__proto__',
  'constructor',
  '../../etc/passwd',
];

const SECRET = 'sk-live-0123456789abcdef';
const FORMS = [
  SECRET,
  encodeURIComponent(SECRET),
  Buffer.from(SECRET).toString('base64'),
  Buffer.from(`x${SECRET}y`).toString('base64').slice(3, -4),
];

let project: ReturnType<typeof createProject>;
let text: CliResult;
let json: CliResult;

beforeAll(async () => {
  const tests = NAUGHTY.map((naughty, index) => ({
    id: `${index} ${naughty}`,
    description: naughty,
    input: naughty,
    assert: { 'output.equals': `not ${naughty}`, 'memory.x': naughty },
  }));
  project = createProject({
    'agent.mjs': `export function agent(input, memory) {
      console.log(input, process.env.OPENAI_API_KEY);
      const key = process.env.OPENAI_API_KEY;
      return { output: [input, key, encodeURIComponent(key), btoa(key), btoa('x' + key + 'y')].join(' '), tools_used: [input], memory: { [input]: input, key } };
    }`,
    'a.test.json': JSON.stringify(tests),
  });
  const env = { OPENAI_API_KEY: SECRET };
  text = await runCli(['run', '--agent', './agent.mjs'], { cwd: project.path, env });
  json = await runCli(['run', '--agent', './agent.mjs', '--reporter', 'json'], { cwd: project.path, env });
});
afterAll(() => project.remove());

describe('text from tests and agents', () => {
  test('no byte of it controls the terminal', () => {
    expect(text.exitCode).toBe(1);
    expect(text.stdout + text.stderr).not.toMatch(
      // oxlint-disable-next-line no-control-regex
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
    );
  });

  test('no line of it is a command of CI', () => {
    expect(text.stdout).not.toMatch(/^\s*(?:::|##\[)/m);
  });

  test('the JSON report stays JSON, with every text exactly as it was', () => {
    const { results } = JSON.parse(json.stdout) as {
      results: { description: string; steps: { input: string; memory: object }[] }[];
    };
    expect(results.map(({ steps }) => steps[0]!.input)).toEqual(NAUGHTY);
    expect(Object.keys(results[NAUGHTY.indexOf('__proto__')]!.steps[0]!.memory)).toContain('__proto__');
  });
});

describe('secrets', () => {
  const journal = () => {
    const runs = join(project.path, '.assay', 'runs');
    return readdirSync(runs).flatMap((run) =>
      readdirSync(join(runs, run)).map((file) => readFileSync(join(runs, run, file), 'utf8')),
    );
  };

  test.each(FORMS)('%s is in no output and no file', (form) => {
    for (const sink of [text.stdout, text.stderr, json.stdout, ...journal()])
      expect(sink).not.toContain(form);
  });
});
