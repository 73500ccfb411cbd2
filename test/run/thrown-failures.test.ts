import { expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

const KINDS = `{
  429: { status: 429, headers: new Headers({ 'retry-after': '0' }) },
  503: { response: { status: 503, headers: { 'Retry-After': 0 } } },
  reset: { message: 'fetch failed', cause: Object.assign(new Error('x'), { code: 'ECONNRESET' }) },
  400: { status: 400 },
  quota: { status: 429, code: 'insufficient_quota' },
  long: { status: 429, headers: { 'retry-after': '2' } },
}`;

async function run(inputs: readonly string[], ...args: string[]) {
  const project = createProject({
    'agent.mjs': `
      const tries = {};
      export async function agent(input, memory, { test }) {
        tries[test.id] ??= [];
        tries[test.id].push(Date.now());
        if (tries[test.id].length === 1) throw Object.assign(new Error('busy'), ${KINDS}[input]);
        return \`waited \${tries[test.id][1] - tries[test.id][0]}\`;
      }`,
    'a.test.yaml': inputs
      .map((input, index) => `- { id: t${index}, input: "${input}", assert: { output.includes: waited } }`)
      .join('\n'),
  });
  const asked = ['run', '--agent', './agent.mjs', '--reporter', 'json', '--no-record', ...args];
  const { stdout } = await runCli(asked, { cwd: project.path });
  project.remove();
  return JSON.parse(stdout).results;
}

test('a thrown 429, 5xx or reset is retried after Retry-After; other errors are not', async () => {
  const results = await run(['429', '503', 'reset', '400', 'quota', 'long']);
  expect(
    results.map(
      ({ verdict, retries, error }: { verdict: string; retries: number; error?: { kind: string } }) => [
        verdict,
        retries,
        error?.kind,
      ],
    ),
  ).toEqual([
    ['passed', 1, undefined],
    ['passed', 1, undefined],
    ['passed', 1, undefined],
    ['error', 0, 'agent'],
    ['error', 0, 'agent'],
    ['passed', 1, undefined],
  ]);
  const [, waited] = results[5].steps[0].output.split(' ');
  expect(Number(waited)).toBeGreaterThanOrEqual(1990);
});

test('with --retry 0 it stays an infrastructure error', async () => {
  const results = await run(['429', 'reset'], '--retry', '0');
  for (const result of results)
    expect(result).toMatchObject({ verdict: 'error', retries: 0, error: { kind: 'infrastructure' } });
});
