import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { recordJsonSchema } from '../../src/runs/journal/record-schema.ts';
import { createProject, runCli } from '../project.ts';

test('every record of a run with passes, failures, errors and skips matches the published schema', async () => {
  const project = createProject({
    'agent.mjs': `export function agent(input, memory) {
      if (input === 'throw') throw new Error('no');
      console.log('said');
      return { output: input, tool_calls: [{ tool: 'a', input: { b: 1 } }], memory: { ...memory, n: 1 }, token_usage: { input: 1, output: 2 }, cost_usd: 0.1 };
    }`,
    'a.test.yaml': `- {id: pass, input: hi, assert: {output.includes: hi, memory.n: 1}}\n- {id: fail, input: hi, assert: {output.equals: nope, tools_used: [b]}}\n- {id: error, input: throw, assert: {output.equals: nope}}\n- {id: skipped, skip: later, input: hi, assert: {output.equals: nope}}\n`,
    'b.eval.yaml':
      'evalcases:\n  - id: judged\n    input: hi\n    evaluators:\n      - {type: contains, value: hi}\n      - {type: tool_trajectory, mode: exact, expected: [{tool: a}]}\n      - {type: is_json, weight: 0}\n  - id: unjudged\n    expected_outcome: x\n    input: hi\n',
  });
  try {
    await runCli(['run', '--agent', './agent.mjs'], { cwd: project.path });
    const runs = join(project.path, '.assay', 'runs');
    const [header, ...lines] = readFileSync(join(runs, readdirSync(runs)[0]!, 'results.jsonl'), 'utf8')
      .trimEnd()
      .split('\n');
    expect(JSON.parse(header!)).toMatchObject({ assay_journal: 2 });
    expect(lines).toHaveLength(6);
    const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(recordJsonSchema());
    for (const line of lines) {
      validate(JSON.parse(line));
      expect(validate.errors).toBeNull();
    }
  } finally {
    project.remove();
  }
});
