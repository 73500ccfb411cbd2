import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CLI, createProject, startCli } from '../project.ts';

const CHUNKS = join(dirname(CLI), 'chunks');

/** Tells Node to write down which files of Assay it has loaded when it ends. */
const LIST_LOADED = `
  const { writeFileSync } = require('node:fs');
  const isHost = process.argv[1].endsWith('agent-host.cjs');
  const list = () => {
    const own = Object.keys(require.cache).filter((file) => file.startsWith(${JSON.stringify(CHUNKS)}));
    writeFileSync(isHost ? 'host.json' : 'loaded.json', JSON.stringify(own));
  };
  // Later than the host looks for such listeners: it is not killed at its end if an agent has one.
  if (isHost) setImmediate(() => process.on('exit', list));
  else process.on('exit', list);
`;

function createWatched(files: Readonly<Record<string, string>>) {
  const project = createProject({
    'list-loaded.cjs': LIST_LOADED,
    'one.test.yaml': 'input: x\nassert:\n  output.includes: hello\n',
    ...files,
  });
  onTestFinished(() => project.remove());
  const cache = join(project.path, 'home');
  return {
    cache,
    path: project.path,
    /** The chunks that Assay loads, and those of the process of the agent. */
    async run(agent: string, wantedExit = 0): Promise<{ readonly own: string[]; readonly host: string[] }> {
      const env = { NODE_OPTIONS: '--require ./list-loaded.cjs', XDG_CACHE_HOME: cache };
      const { exitCode, stderr } = await startCli(['run', '--agent', agent], { cwd: project.path, env });
      expect({ exitCode, stderr }).toEqual({ exitCode: wantedExit, stderr: '' });
      const read = (name: string): string[] => {
        const loaded = JSON.parse(readFileSync(join(project.path, name), 'utf8')) as string[];
        return loaded.map((file) => basename(file).replace(/-[\w-]{8}\.cjs$/, '')).toSorted();
      };
      return { own: read('loaded.json'), host: read('host.json') };
    },
  };
}

test('a run of one test loads nothing but what it needs', async () => {
  const { run } = createWatched({
    'agent.mjs': 'export default (input) => ({ output: `hello ${input}`, tools_used: [] });\n',
  });
  // Another name here: `npm run generate:start`, or load what it is for later.
  const { own, host } = await run('./agent.mjs');
  expect(own).toEqual(['base', 'both', 'core', 'early', 'host', 'package', 'rolldown-runtime', 'run']);
  expect(host).toEqual(['both', 'host', 'load-module', 'rolldown-runtime']);
});

test.skipIf('typescript' in process.features)(
  'TypeScript is compiled once, and anew after an edit',
  async () => {
    const { run, cache, path } = createWatched({
      'agent.ts': 'export default (input: string) => ({ output: `hello ${input}`, tools_used: [] });\n',
    });
    expect((await run('./agent.ts')).host).toContain('compile-typescript');
    expect((await run('./agent.ts')).host).not.toContain('compile-typescript');
    writeFileSync(
      join(path, 'agent.ts'),
      'export default (input: string) => ({ output: `no ${input}`, tools_used: [] });\n',
    );
    expect((await run('./agent.ts', 1)).host).toContain('compile-typescript');
    expect((await run('./agent.ts', 1)).host).not.toContain('compile-typescript');
    const folder = join(cache, 'assay/compiled');
    expect(readdirSync(folder)).toHaveLength(2);
    for (const name of readdirSync(folder))
      writeFileSync(join(folder, name), 'export default () => "hello";');
    expect((await run('./agent.ts', 1)).host).toContain('compile-typescript');
  },
);

test('every chunk can be the first one that is loaded', () => {
  const files = readdirSync(CHUNKS).map((name) => join(CHUNKS, name));
  // As a chunk loads others when it needs them, a circle would show itself only in one order.
  const script = `
    for (const file of ${JSON.stringify(files)}) {
      for (const loaded of Object.keys(require.cache)) delete require.cache[loaded];
      try { require(file); } catch (error) { console.log(file, error.message); }
    }`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--eval', script], { encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
});
