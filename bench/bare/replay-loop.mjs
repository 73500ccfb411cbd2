// What a person would write to replay model calls: a `fetch` that looks the request up in the test's file.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { RecordFile } from './record-file.mjs';

const tests = JSON.parse(readFileSync('many.test.json', 'utf8'));
const { agent } = await import(pathToFileURL(resolve('agent.mjs')));
const records = new RecordFile('bare.jsonl');
let passed = 0;
for (const { id, steps } of tests) {
  const cassette = JSON.parse(readFileSync(`cassettes/many.test.json/${id}@agent.mjs.json`, 'utf8'));
  const calls = [...cassette.repeats[0].agent];
  globalThis.fetch = async (_url, { body }) => {
    const request = JSON.parse(body);
    const at = calls.findIndex((call) => isDeepStrictEqual(call.request.body, request));
    const [{ response }] = calls.splice(at, 1);
    return new Response(JSON.stringify(response.body), response);
  };
  const [{ input, assert }] = steps;
  const output = await agent(input);
  const isPassed = output.includes(assert['output.includes']);
  if (isPassed) passed++;
  records.append({ id, input, output, verdict: isPassed ? 'passed' : 'failed', calls: cassette.repeats });
}
records.close();
console.log(`${passed} of ${tests.length} passed`);
