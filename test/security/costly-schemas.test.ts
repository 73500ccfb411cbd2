import { afterAll, expect, test } from 'vitest';
import { createProject, runCli } from '../project.ts';

/** Each definition holds the one before it twice: 2^40 of the first. */
function doubled(): object {
  const definitions: Record<string, object> = { d0: { type: 'object' } };
  for (let index = 1; index <= 40; index++) {
    const before = { $ref: `#/$defs/d${index - 1}` };
    definitions[`d${index}`] = { allOf: [before, before] };
  }
  return { $defs: definitions, $ref: '#/$defs/d40' };
}

const schemas: Readonly<Record<string, readonly [input: string, schema: unknown]>> = {
  'compares everything with everything': ['list', { uniqueItems: true }],
  'doubles forty times': ['object', doubled()],
  'is not valid': ['object', { type: 'objct' }],
  'does not fit': ['object', { type: 'array' }],
  fits: ['object', { type: 'object' }],
};

const project = createProject({
  'agent.mjs': `const list = JSON.stringify(Array.from({ length: 30000 }, (_, n) => ({ n, text: { of: String(n) } })));
    export const agent = (input) => ({ output: input === 'list' ? list : '{}', tools_used: [] });`,
  'schemas.eval.json': JSON.stringify({
    evalcases: Object.entries(schemas).map(([id, [input, schema]]) => ({
      id,
      input,
      evaluators: [{ type: 'is_json', schema }],
    })),
  }),
});
afterAll(project.remove);

test('a schema that is too expensive is an error of its own test, and the next one is checked', async () => {
  const { stdout, exitCode } = await runCli(
    ['run', '--agent', './agent.mjs', '--timeout', '1500ms', '--no-record', '--reporter', 'json'],
    { cwd: project.path },
  );
  const { results } = JSON.parse(stdout);
  expect(results.map(({ test: id, verdict }: never) => [id, verdict])).toEqual([
    ['compares everything with everything', 'error'],
    ['doubles forty times', 'error'],
    ['is not valid', 'error'],
    ['does not fit', 'failed'],
    ['fits', 'passed'],
  ]);
  expect(results[0].error.message).toContain('the reply came, but evaluating it did not end within 1.5 s');
  expect(JSON.stringify(results)).not.toContain('no reply');
  expect(results[2].steps[0].assertions[0].message).toContain('schema is invalid');
  expect(exitCode).toBe(1);
});
