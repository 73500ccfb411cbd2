// `npm run bench`: everything that is measured, as ratios in one run, in one table; it is kept in bench/RESULTS.md and
// bench/results.json. `npm run bench start dataset` runs some parts and keeps nothing; `npm run bench queue`, which needs
// redis-server, is run only so.
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { benchCassettes } from './cassettes.mjs';
import { benchCommandAgent } from './command-agent.mjs';
import { benchCompare } from './compare.mjs';
import { benchDataset } from './dataset.mjs';
import { benchEvaluators } from './evaluators.mjs';
import { benchHttpAgent } from './http-agent.mjs';
import { benchInstall } from './install.mjs';
import { benchLsp } from './lsp.mjs';
import { count, table } from './measure.mjs';
import { benchMemory } from './memory.mjs';
import { benchPeers } from './peers.mjs';
import { benchPythonAgent } from './python-agent.mjs';
import { benchQueue } from './queue.mjs';
import { benchRecords } from './records.mjs';
import { benchStart } from './start.mjs';
import { benchThroughput } from './throughput.mjs';
import { benchView } from './view.mjs';

const PARTS = {
  start: benchStart,
  throughput: benchThroughput,
  dataset: benchDataset,
  'command-agent': benchCommandAgent,
  'python-agent': benchPythonAgent,
  'http-agent': benchHttpAgent,
  evaluators: benchEvaluators,
  cassettes: benchCassettes,
  records: benchRecords,
  compare: benchCompare,
  memory: benchMemory,
  view: benchView,
  lsp: benchLsp,
  install: benchInstall,
  peers: benchPeers,
};
/** Parts that need servers. */
const ONLY_WHEN_ASKED = { queue: benchQueue };
const ALL = { ...PARTS, ...ONLY_WHEN_ASKED };

const selected = process.argv.slice(2);
const unknown = selected.filter((name) => !Object.hasOwn(ALL, name));
if (unknown.length > 0) {
  console.error(`there is no part ${unknown.join(', ')}; the parts are ${Object.keys(ALL).join(', ')}`);
  process.exit(2);
}
const machine = `Node ${process.version}, ${cpus().length} cores (${cpus()[0].model}), ${count(totalmem() / 2 ** 30)} GB`;
const rows = [];
const start = performance.now();
for (const name of selected.length === 0 ? Object.keys(PARTS) : selected) {
  process.stderr.write(`${name}...\n`);
  rows.push(...(await ALL[name]()));
}
console.log(`${machine}\n\n${table(rows)}`);
for (const { what, ratio, target } of rows.filter(isTooSlow)) {
  console.error(`too slow: ${what}: ${ratio}, and should be at most ${target}`);
  process.exitCode = 1;
}
if (selected.length === 0) {
  const date = new Date().toISOString().slice(0, 10);
  const minutes = ((performance.now() - start) / 60_000).toFixed(1);
  writeFileSync('bench/results.json', `${JSON.stringify({ date, machine, rows }, undefined, 2)}\n`);
  writeFileSync(
    'bench/RESULTS.md',
    `# Results of \`npm run bench\`\n\n${date}, ${machine}, measured in ${minutes} minutes\n\n${table(rows)}\n`,
  );
}

/** Only ratios are compared: seconds are those of this machine. */
function isTooSlow({ ratio, target }) {
  const [measured, most] = [ratio, target].map((text) => /^([\d.]+)x$/.exec(text ?? '')?.[1]);
  return measured !== undefined && most !== undefined && Number(measured) > Number(most);
}
