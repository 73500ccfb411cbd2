import { isUtf8 } from 'node:buffer';
import childProcess from 'node:child_process';
import fs from 'node:fs';
import Module, { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import workerThreads from 'node:worker_threads';
import { cacheFolder } from '../../base/files/private-cache.ts';
import { builtFile } from '../processes/built-file.ts';
import { lookAt } from '../../base/files/file-look.ts';
import { HARMLESS_PROGRAMS, MOST_LOOKS } from './observed-names.ts';
import { observeServers } from './observe-servers.ts';
import { observeVariables } from './observe-variables.ts';
import { optionOf, quietly, wrap } from './wrap-call.ts';
import type { LookKind, SeenInputs } from '../../base/model/seen-inputs.ts';

/*
 * Sees which files the code of an agent uses, by wrapping what Node offers to open them. Node itself loads modules with the same
 * functions, so these are seen too.
 */

/** What a function does with each of its first arguments. */
type Use = LookKind | 'list' | 'lstat' | 'open' | 'copy' | 'write' | undefined;

const USES: Readonly<Record<string, readonly Use[]>> = {
  readFile: ['content'],
  createReadStream: ['content'],
  openAsBlob: ['content'],
  open: ['open'],
  readdir: ['list'],
  opendir: ['list'],
  exists: ['entry'],
  access: ['entry'],
  stat: ['stat'],
  lstat: ['lstat'],
  readlink: ['link'],
  realpath: ['link'],
  copyFile: ['content', 'write'],
  cp: ['copy', 'write'],
  link: ['content', 'write'],
  symlink: [undefined, 'write'],
  rename: ['write', 'write'],
  writeFile: ['write'],
  appendFile: ['write'],
  createWriteStream: ['write'],
  truncate: ['write'],
  utimes: ['write'],
  chmod: ['write'],
  mkdir: ['write'],
  rm: ['write'],
  rmdir: ['write'],
  unlink: ['write'],
};

/** They read nothing of a project. */
const HARMLESS: ReadonlySet<string> = new Set(HARMLESS_PROGRAMS);
/** Modules of Node that open files themselves. */
const NATIVE = ['wasi', 'sqlite'];
/** Where nothing of a project is: devices, and libraries of the system. */
const SYSTEM = /^\/(?:dev\/(?!shm\/)|proc\/(?!self\/(?:cwd|root)\/)|sys\/|(?:usr\/)?lib\d*\/)/;
/** In an installed package. */
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/.][^/]*(?=\/|$)/;
const MODULE = /\.(?:[cm]?[jt]s|[jt]sx|json)$/;
/** They open files and start programs past what is wrapped here. */
const INNER_PARTS = new Set(['fs', 'fs_dir', 'process_wrap', 'spawn_sync']);
const PRELOADS = /(?:^|\s)(?:-r|--require|--import|--(?:experimental-)?loader)\b/;
const REPORT_VARIABLE = 'WATCH_REPORT_DEPENDENCIES';

const { apply } = Reflect;
let looks: Record<string, string> = {};
const seen = new Set<string>();
const written = new Set<string>();
const variables = new Set<string>();
const unseen = new Set<string>();
let root = '';
let foreign: readonly string[] = [];

/** Before code of the agent, which `file` names, is loaded. `projectRoot` may itself be in a folder of the system. */
export function observeInputs(file: string, projectRoot: string): void {
  root = resolve(projectRoot) + sep;
  const caches = cacheFolder('compiled');
  foreign = [
    join(dirname(builtFile('agent-host')), sep),
    ...(caches === undefined ? [] : [dirname(caches) + sep]),
  ];
  for (const [name, uses] of Object.entries(USES))
    for (const [owner, key] of [
      [fs, name],
      [fs, `${name}Sync`],
      [fs.promises, name],
    ] as const)
      wrap(owner, key, (args) => {
        for (let index = 0; index < uses.length; index++) note(uses[index], args, index);
      });
  for (const name of ['glob', 'globSync'])
    for (const owner of [fs, fs.promises])
      wrap(owner, name, ([, options]) => look('tree', pathOf(optionOf(options, 'cwd')) ?? resolve('.')));
  for (const realpath of [fs.realpath, fs.realpathSync])
    wrap(realpath, 'native', (args) => note('link', args, 0));
  observeResolving();
  observeServers(() => void unseen.add('it calls a server of this machine'));
  observeVariables(variables);
  observePrograms();
  observeMissingModules();
  syncBuiltinESMExports();
  // Node follows a link unseen.
  lookAtPlace('link', resolve(file));
}

/** What was seen since it was asked last. */
export function takeInputs(): SeenInputs {
  const { moduleLoadList = [] } = process as {
    readonly moduleLoadList?: readonly string[];
  };
  for (const name of NATIVE)
    if (moduleLoadList.includes(`NativeModule ${name}`)) unseen.add(`it uses node:${name}`);
  const inputs = { looks, written: [...written], variables: [...variables], unseen: [...unseen] };
  looks = {};
  written.clear();
  variables.clear();
  return inputs;
}

function note(use: Use, args: readonly unknown[], index: number): void {
  const path = use === undefined ? undefined : pathOf(args[index]);
  if (path === undefined) return;
  if (use === 'write') write(path);
  else if (use === 'list') look(optionOf(args[index + 1], 'recursive') === true ? 'tree' : 'names', path);
  else if (use === 'copy') lookAtAll(path);
  else if (use === 'lstat') {
    look('link', path);
    look('stat', path);
  } else if (use === 'open') {
    const flags = typeof args[index + 1] === 'function' ? 'r' : (args[index + 1] ?? 'r');
    // Whoever has a descriptor may ask for the time of the file.
    if (isReading(flags)) for (const each of ['content', 'stat'] as const) look(each, path);
    if (isWriting(flags)) write(path);
  } else look(use!, path);
}

function isReading(flags: unknown): boolean {
  if (typeof flags === 'number') return (flags & 3) !== fs.constants.O_WRONLY;
  return /^r|\+/.test(String(flags));
}

function isWriting(flags: unknown): boolean {
  if (typeof flags === 'number')
    return (flags & 3) !== fs.constants.O_RDONLY || (flags & fs.constants.O_CREAT) !== 0;
  return /^[aw]|\+/.test(String(flags));
}

function look(kind: LookKind, path: string): void {
  if (!isCounted(path)) return;
  if (kind !== 'content') return lookAtPlace(kind, path);
  const isInPackage = lookAtPackageOf(path);
  if (MODULE.test(path) && !isInPackage) lookAround(path);
  // Packages are installed again more often than edited, and too large to read: their times count.
  lookAtPlace(isInPackage ? 'stat' : kind, path);
}

function lookAtPackageOf(path: string): boolean {
  const [folder] = PACKAGE.exec(path) ?? [];
  if (folder !== undefined) lookAtPlace('stat', join(folder, 'package.json'));
  return folder !== undefined;
}

function lookAtPlace(kind: LookKind, path: string): void {
  const key = `${kind} ${path}`;
  if (seen.has(key)) return;
  if (seen.size >= MOST_LOOKS) return void unseen.add(`it uses more than ${MOST_LOOKS} files`);
  seen.add(key);
  looks[key] = lookAt(kind, path);
}

function write(path: string): void {
  if (isCounted(path)) written.add(path);
}

/** Node reads it past `fs`: what a name that is imported means, how a file is read, and where packages are. */
function lookAround(path: string): void {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (basename(folder) !== 'node_modules') {
      if (seen.has(`content ${join(folder, 'package.json')}`)) return;
      lookAtPlace('content', join(folder, 'package.json'));
      lookAtPlace('names', join(folder, 'node_modules'));
    }
    if (folder === dirname(folder)) return;
  }
}

/** Node copies a folder with functions that nobody can wrap. */
function lookAtAll(path: string): void {
  look('tree', path);
  const files = fs.statSync(path).isDirectory() ? fs.readdirSync(path, { recursive: true }) : [''];
  for (const file of files) look('content', join(path, String(file)));
}

/** Whether a path may belong to an agent. */
function isCounted(path: string): boolean {
  if (path.startsWith(`${root}.assay${sep}`)) return false;
  if (foreign.some((folder) => `${path}${sep}`.startsWith(folder))) return false;
  return path.startsWith(root) || !SYSTEM.test(path);
}

function pathOf(value: unknown): string | undefined {
  if (typeof value === 'string') return resolve(value);
  if (value instanceof URL) return value.protocol === 'file:' ? fileURLToPath(value) : undefined;
  if (!(value instanceof Uint8Array)) return undefined;
  if (!isUtf8(value)) unseen.add('it uses a path that is not UTF-8');
  return resolve(Buffer.from(value).toString());
}

/** Node finds out where a module really is past `fs`. */
function observeResolving(): void {
  const { binding } = process as unknown as { binding?(name: string): object };
  try {
    const inner = apply(binding!, process, ['fs']);
    wrap(inner, 'readlink', ([path]) => isCounted(pathOf(path)!) && lookAtPlace('link', pathOf(path)!));
    wrap(inner, 'lstat', ([path]) => lookAtPackageOf(pathOf(path)!));
  } catch {
    // A newer Node.
  }
}

/** What runs elsewhere reads unseen. */
function observePrograms(): void {
  wrap(childProcess.ChildProcess.prototype, 'spawn', ([options]) => {
    const { file, envPairs } = options as {
      readonly file?: unknown;
      envPairs?: readonly string[];
    };
    noteProgram(file);
    // Node's own watch mode would talk to a program that gets it.
    const isOurs = (pair: string): boolean => pair.startsWith(`${REPORT_VARIABLE}=`);
    if (envPairs !== undefined)
      (options as Record<string, unknown>)['envPairs'] = envPairs.filter((pair) => !isOurs(pair));
  });
  for (const name of ['spawnSync', 'execFileSync', 'execSync'])
    wrap(childProcess, name, ([file, ...more]) =>
      noteProgram(more.some((each) => optionOf(each, 'shell')) ? 'sh' : file),
    );
  wrap(workerThreads, 'Worker', () => {
    unseen.add('it starts a worker thread');
    // Node 24 tells the agent what a thread imports, as messages of the thread.
    delete process.env[REPORT_VARIABLE];
  });
  // Their thread reads modules instead of Node.
  wrap(Module, 'register', ([hooks]) => {
    // Those of src/agents/fresh-modules.ts change no text.
    if (!String(hooks).includes('assay-instance')) unseen.add('it registers module hooks');
  });
  if (PRELOADS.test(`${process.env['NODE_OPTIONS'] ?? ''} ${process.execArgv.join(' ')}`))
    unseen.add('NODE_OPTIONS load modules before it');
  wrap(process, 'dlopen', ([, file]) => void unseen.add(`it loads native code, ${basename(String(file))}`));
  wrap(process, 'binding', ([name]) => {
    if (INNER_PARTS.has(String(name))) unseen.add(`it uses process.binding('${String(name)}')`);
  });
  wrap(process, 'loadEnvFile', ([file = '.env']) => look('content', pathOf(file)!));
}

function noteProgram(file: unknown): void {
  const name = basename(/^\S*/.exec(String(file))![0]);
  // Not a line of a shell that goes on.
  const isHarmless = HARMLESS.has(name) && /^[\w./]+(?: -\w+)*$/.test(String(file));
  if (!isHarmless) unseen.add(`it starts the program ${name}`);
}

/** A module that is looked for in vain may exist later. Node tells its watch mode about those of `import`. */
function observeMissingModules(): void {
  const { send } = process;
  process.env[REPORT_VARIABLE] = '1';
  process.send = ((message: unknown, ...more: readonly unknown[]) => {
    const missing = optionOf(message, 'watch:require');
    const imported = optionOf(message, 'watch:import');
    // A thread of hooks may read it.
    if (Array.isArray(imported)) for (const url of imported) lookAtModule(String(url));
    if (Array.isArray(missing)) for (const path of missing) lookForModule(String(path), ['']);
    return send === undefined || missing !== undefined || imported !== undefined
      ? true
      : apply(send, process, [message, ...more]);
  }) as NonNullable<NodeJS.Process['send']>;
  const loader = Module as unknown as Record<
    typeof RESOLVE,
    (name: string, parent?: { filename?: string }) => string
  >;
  const resolveFilename = loader[RESOLVE];
  loader[RESOLVE] = function (name, parent, ...more: readonly unknown[]) {
    let found: string | undefined;
    try {
      return (found = apply(resolveFilename, this, [name, parent, ...more]) as string);
    } finally {
      if (/^[./]/.test(name) && !PACKAGE.test(parent?.filename ?? '')) {
        // Another one may come to stand before what was found.
        const place = resolve(dirname(parent?.filename ?? '.'), name);
        const index = found?.startsWith(place) === true ? ENDINGS.indexOf(found.slice(place.length)) : -1;
        lookForModule(place, index === -1 ? ENDINGS : ENDINGS.slice(0, index));
      }
    }
  };
}

const RESOLVE = '_resolveFilename';
const ENDINGS = ['', '.js', '.json', '.node', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.tsx', '/index.js'];

function lookAtModule(url: string): void {
  if (!url.startsWith('file:')) return;
  quietly(() => look('content', fileURLToPath(url)));
}

function lookForModule(path: string, endings: readonly string[]): void {
  quietly(() => {
    for (const ending of endings) look('entry', path + ending);
  });
}
