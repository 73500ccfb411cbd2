// `npm run bench`: everything that is measured, as ratios in one run. `npm run bench dataset` runs one part.
import { cpus } from 'node:os';
import { benchDataset } from './dataset.mjs';
import { table } from './measure.mjs';
import { benchPythonAgent } from './python-agent.mjs';
import { benchStart } from './start.mjs';
import { benchView } from './view.mjs';

const PARTS = { start: benchStart, dataset: benchDataset, 'python-agent': benchPythonAgent, view: benchView };

const wanted = process.argv.slice(2);
console.log(`Node ${process.version}, ${cpus().length} cores (${cpus()[0].model})\n`);
for (const [name, run] of Object.entries(PARTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`${table(await run())}\n`);
}
