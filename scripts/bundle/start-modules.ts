// Writes start-modules.json: the modules that are loaded at the start. Run it when a test says that a start loads more than these.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const temporary = mkdtempSync(join(tmpdir(), 'assay-bundle-'));
const project = join(temporary, 'project');
const built = join(temporary, 'dist');
const listed = join(temporary, 'loaded.txt');
const output = new URL('start-modules.json', import.meta.url);

/** Loaded first by a run that expects an agent of a script, to start its process; and by few others. */
const EARLY =
  /^src\/(?:agents\/processes\/|agents\/host\/(?:spare-host|uses-hosts)|cli\/expects-host|suites\/load\/config-names)/;

/** What keeps `core` compiled is needed before it, and what the entry uses is not in the entry, which would start again. */
const BEFORE_CORE = [
  'src/base/files/use-compile-cache.ts',
  'src/base/files/keep-compiled.ts',
  'src/cli/print-error.ts',
  'src/cli/remember-listeners.ts',
  'src/base/system/command-end.ts',
  'src/base/files/draft-file.ts',
  'src/base/files/private-cache.ts',
  'src/base/files/write-whole.ts',
  'src/base/system/system-time.ts',
];

/** Told to Node at its start: the chunks that were loaded, one a line. The process of the agent gets it too. */
const LIST_LOADED = `
  const { appendFileSync } = require('node:fs');
  const own = ${JSON.stringify(`${built}/`)};
  const isHost = process.argv[1].endsWith('agent-host.cjs');
  const list = () => appendFileSync(
    ${JSON.stringify(listed)} + (isHost ? '.host' : ''),
    Object.keys(require.cache).filter((file) => file.startsWith(own)).map((file) => file + '\\n').join(''));
  // Later than the host looks for such listeners: it is not killed at its end if an agent has one.
  if (isHost) setImmediate(() => process.on('exit', list));
  else process.on('exit', list);
`;

try {
  const files = {
    'package.json': '{"type":"module"}',
    'agent.mjs': 'export default (input) => ({ output: `hello ${input}`, tools_used: [] });\n',
    'one.test.yaml': 'input: x\nassert: { output.includes: hello, tools_used: [] }\n',
  };
  start('mkdir', ['-p', project]);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
  const preload = join(temporary, 'list-loaded.cjs');
  writeFileSync(preload, LIST_LOADED);
  start('npx', ['rolldown', '--config', 'rolldown.config.ts'], { ASSAY_BUNDLE_ANALYSIS: built });

  const modulesIn = (list: string): string[] => [
    ...new Set(readFileSync(list, 'utf8').trim().split('\n').flatMap(moduleOf)),
  ];
  const loadedBy = (...args: string[]): string[] => {
    rmSync(listed, { force: true });
    start(
      process.execPath,
      ['--require', preload, join(built, 'cli.cjs'), ...args],
      { CI: 'false' },
      project,
    );
    return modulesIn(listed);
  };
  const first = [
    ...new Set([
      ...loadedBy('--version'),
      ...loadedBy('--help'),
      ...loadedBy('run', '--help'),
      ...BEFORE_CORE,
    ]),
  ]
    .filter((path) => !EARLY.test(path))
    .toSorted();
  const run = loadedBy('run', '--agent', './agent.mjs');
  const host = modulesIn(`${listed}.host`).filter((path) => !path.endsWith('/host-entry.ts'));
  const core = run.filter((path) => ![...first, ...host].includes(path) && !EARLY.test(path)).toSorted();
  const isOfBoth = (path: string): boolean => host.includes(path) || path.startsWith('src/base/files/');
  const groups = {
    both: first.filter(isOfBoth),
    base: first.filter((path) => !isOfBoth(path)),
    early: run.filter((path) => EARLY.test(path) && ![...first, ...host].includes(path)).toSorted(),
    host: host.filter((path) => !first.includes(path)).toSorted(),
    core,
  };
  writeFileSync(output, `${JSON.stringify(groups, null, 2)}\n`);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

/** `chunks/src__cli__main.ts-B1x.cjs` is src/cli/main.ts. */
function moduleOf(chunk: string): string[] {
  const path = /\/chunks\/(.+)-[\w-]{8}\.cjs$/.exec(chunk)?.[1]?.replaceAll('__', '/') ?? '';
  return existsSync(path) ? [path] : [];
}

function start(program: string, args: string[], env: Record<string, string> = {}, cwd = process.cwd()): void {
  const { status } = spawnSync(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`${[program, ...args].join(' ')} ended with ${status}`);
}
