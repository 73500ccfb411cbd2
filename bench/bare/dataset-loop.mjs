// What a person would write: read lines, ask the agent, a few checks, a record for each case.
import { createReadStream } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';
import { RecordFile } from './record-file.mjs';

const { agent } = await import(pathToFileURL(resolve('agent.mjs')));
const records = new RecordFile('bare.jsonl');
const CHECKS = {
  contains: ({ output }, { value }) => output.includes(value),
  regex: ({ output }, { value }) => new RegExp(value).test(output),
  equals: ({ output }, { value }) => output === value,
  tool_trajectory: ({ tool_calls }, { expected }) => callsInOrder(tool_calls, expected),
};
const lines = createInterface({ input: createReadStream('cases.jsonl'), crlfDelay: Infinity });
let line = 0;
let passed = 0;
for await (const text of lines) {
  line++;
  const { id, input, assert } = JSON.parse(text);
  const started_at = new Date().toISOString();
  const start = performance.now();
  const reply = await agent(input, {});
  const assertions = assert.map((check) => {
    const { type } = check;
    const holds = CHECKS[type](reply, check);
    return {
      kind: type,
      score: holds ? 1 : 0,
      passed: holds,
      expected: check.value ?? check.expected,
      actual: type === 'tool_trajectory' ? reply.tool_calls : reply.output,
      message: holds ? 'the output is as it should be' : 'the output is not as it should be',
      line,
    };
  });
  const isPassed = assertions.every((assertion) => assertion.passed);
  if (isPassed) passed++;
  records.append({
    id: `cases.jsonl::${id}`,
    file: 'cases.jsonl',
    line,
    test: id,
    verdict: isPassed ? 'passed' : 'failed',
    score: assertions.reduce((sum, { score }) => sum + score, 0) / assertions.length,
    steps: [
      {
        input,
        input_messages: [{ role: 'user', content: input }],
        output: reply.output,
        tools_used: reply.tools_used,
        tool_calls: reply.tool_calls,
        memory: reply.memory,
        assertions,
      },
    ],
    started_at,
    duration_ms: performance.now() - start,
  });
}
records.close();
console.log(`${passed} of ${line} passed`);

/** Each expected call is made, in this order, with at least these arguments; other calls may be between them. */
function callsInOrder(calls, expected) {
  let next = 0;
  for (const { tool, args = {} } of expected) {
    while (next < calls.length && !isWanted(calls[next], tool, args)) next++;
    if (next++ >= calls.length) return false;
  }
  return true;
}

function isWanted({ name, arguments: made }, tool, args) {
  return name === tool && Object.entries(args).every(([key, value]) => isDeepStrictEqual(made[key], value));
}
