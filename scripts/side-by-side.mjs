// Runs scripts of package.json at the same time: `node scripts/side-by-side.mjs check:types check:lint`. Prints how long each took,
// and the output of those that fail. Fails if one does.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const names = process.argv.slice(2);
const unknown = names.filter((name) => scripts[name] === undefined);
if (unknown.length > 0) throw new Error(`package.json has no script ${unknown.join(', ')}`);

const waiting = [...names];
const failed = [];
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));
for (const { name, output } of failed) console.error(`\n${name} failed:\n${output}`);
if (failed.length > 0) process.exitCode = 1;

async function work() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const startedAt = performance.now();
    const { exitCode, output } = await run(scripts[name]);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(`${exitCode === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
    if (exitCode !== 0) failed.push({ name, output });
  }
}

/** As npm runs it: it has put the programs of node_modules into the path. */
function run(command) {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, output }));
  });
}
