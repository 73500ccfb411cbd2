// What a person would write: read the file, ask the agent step by step, four checks each, a record for each test.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { RecordFile } from './record-file.mjs';

const { agent } = await import(pathToFileURL(resolve('agent.mjs')));
const records = new RecordFile('bare.jsonl');
let passed = 0;
const tests = JSON.parse(readFileSync('tests.test.json', 'utf8'));
for (const test of tests) {
  const started_at = new Date().toISOString();
  const start = performance.now();
  let memory = {};
  const steps = [];
  for (const { input, assert } of test.steps) {
    const memory_before = memory;
    const reply = await agent(input, memory);
    memory = reply.memory;
    const assertions = Object.entries(assert).map(([kind, expected]) => {
      const [holds, actual] = check(kind, expected, reply);
      return {
        kind,
        score: holds ? 1 : 0,
        passed: holds,
        expected,
        actual,
        message: holds ? 'this is as it should be' : 'this is not as it should be',
      };
    });
    steps.push({
      input,
      input_messages: [{ role: 'user', content: input }],
      output: reply.output,
      tools_used: reply.tools_used,
      memory_before,
      memory,
      assertions,
    });
  }
  const isPassed = steps.every(({ assertions }) => assertions.every((assertion) => assertion.passed));
  if (isPassed) passed++;
  records.append({
    id: `tests.test.json::${test.id}`,
    file: 'tests.test.json',
    test: test.id,
    verdict: isPassed ? 'passed' : 'failed',
    steps,
    started_at,
    duration_ms: performance.now() - start,
  });
}
records.close();
console.log(`${passed} of ${tests.length} passed`);

function check(kind, expected, { output, tools_used, memory }) {
  if (kind === 'output.includes') return [output.includes(expected), output];
  if (kind === 'output.matches') return [new RegExp(expected).test(output), output];
  if (kind === 'tools_used') return [isDeepStrictEqual(tools_used, expected), tools_used];
  const actual = memory[kind.slice('memory.'.length)];
  return [isDeepStrictEqual(actual, expected), actual];
}
