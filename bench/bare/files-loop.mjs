// What a person would write: for each file, read it, load the agent anew, ask it, a check, a record.
import { readFileSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { RecordFile } from './record-file.mjs';

const agentUrl = pathToFileURL(resolve('agent.mjs'));
const records = new RecordFile('bare.jsonl');
let passed = 0;
const files = readdirSync('many');
for (const file of files) {
  const text = readFileSync(`many/${file}`, 'utf8');
  const input = /input: (.*)/.exec(text)[1];
  const value = /output\.includes: (.*)/.exec(text)[1];
  const { agent } = await import(`${agentUrl}?${file}`);
  const start = performance.now();
  const { output, tools_used, memory } = await agent(input, {});
  const isPassed = output.includes(value);
  if (isPassed) passed++;
  records.append({
    id: `${file}::1`,
    file,
    verdict: isPassed ? 'passed' : 'failed',
    steps: [
      { input, output, tools_used, memory, assertions: [{ kind: 'output.includes', value, isPassed }] },
    ],
    started_at: new Date().toISOString(),
    duration_ms: performance.now() - start,
  });
}
records.close();
console.log(`${passed} of ${files.length} passed`);
