'use strict';
/*
 * Runs the built program again and again in one process, so that tests need not wait until Node has started and loaded it. Started by
 * test/run-warm.ts with the path of the program; each line on file 3 is a command line, and the answer is its exit code.
 *
 * It is the whole program, with its entry. Only the last step, the end of the process, is left out, and only if the command left
 * nothing behind. Otherwise the process really ends, and the next command line gets a new one.
 */
const http = require('node:http');
const https = require('node:https');
const { Socket } = require('node:net');
const { createInterface } = require('node:readline');
// It replaces `process.chdir` when it is loaded.
const threads = require('node:worker_threads');

/** Modules of users stay in memory: Node forgets none. */
const MOST_COMMANDS = 200;
/** For a thread to end. */
const PATIENCE_MS = 2000;

const program = process.argv[2];
const control = new Socket({ fd: 3 });
const streams = [process.stdout, process.stderr];
const writes = streams.map((stream) => stream.write);
const reallyExit = process.reallyExit.bind(process);
const stackTraces = { prepareStackTrace: Error.prepareStackTrace, stackTraceLimit: Error.stackTraceLimit };

// Some globals are made when they are first used.
for (const name of Object.getOwnPropertyNames(globalThis))
  if (!name.endsWith('Storage')) void globalThis[name];

/** What code of users may replace. */
const SHARED = {
  globalThis,
  process,
  stdout: process.stdout,
  stderr: process.stderr,
  console,
  http,
  https,
  threads,
  Socket,
};
for (const name of [
  'Array',
  'Date',
  'Error',
  'Function',
  'JSON',
  'Map',
  'Math',
  'Number',
  'Object',
  'Promise',
  'RegExp',
  'Set',
  'String',
])
  SHARED[name] = globalThis[name];
for (const [name, { prototype }] of Object.entries(SHARED))
  if (prototype) SHARED[`${name}.prototype`] = prototype;

/** Globals in which packages that Assay contains keep their settings. */
const SETTINGS = new Set(['__zod_globalConfig', '__zod_globalRegistry', 'AI_SDK_LOG_WARNINGS']);

let commands = 0;
/** The command that runs, and what was there before it. */
let current;

createInterface({ input: control })
  .on('line', (line) => start(JSON.parse(line)))
  .on('close', () => reallyExit(0));

function start({ args, cwd, env, marker }) {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, program, ...args];
  const before = listenersNow();
  current = { marker, traces: tracesNow(), active: activeNow(), ofEntry: [] };
  delete require.cache[program];
  require(program);
  current.ofEntry = listenersNow().filter(
    (now) => !before.some((then) => then.every((part, at) => part === now[at])),
  );
}

/** Assay has found it before it loaded any other code, and calls it last. */
process.reallyExit = (code) => {
  if (current === undefined) return reallyExit(code);
  const { marker, traces, active, ofEntry } = current;
  current = undefined;
  for (const [emitter, event, listener] of ofEntry) emitter.off(event, listener);
  // The compiler of TypeScript sets both when it is loaded.
  Object.assign(Error, stackTraces);
  const isClean = isSame(traces, tracesNow()) && withoutEnding(activeNow()) === withoutEnding(active);
  if (++commands === MOST_COMMANDS || !isClean) return reallyExit(code);
  process.exitCode = undefined;
  answer(code, { marker, active, until: performance.now() + PATIENCE_MS });
};

function answer(code, { marker, active, until }) {
  if (activeNow() !== active) {
    if (performance.now() > until) reallyExit(code);
    setTimeout(answer, 1, code, { marker, active, until }).unref();
    return;
  }
  process.chdir('/');
  let open = streams.length;
  for (const [index, stream] of streams.entries())
    writes[index].call(stream, marker, () => --open === 0 && control.write(`${code}\n`));
}

function listenersNow() {
  return [process, ...streams].flatMap((emitter) =>
    emitter
      .eventNames()
      .flatMap((event) => emitter.rawListeners(event).map((listener) => [emitter, event, listener])),
  );
}

/** What a command, or code of users that it loads, may change for those that come after it. */
function tracesNow() {
  const traces = new Map(listenersNow().map(([, event, listener]) => [listener, event]));
  for (const [name, object] of Object.entries(SHARED))
    for (const key of Reflect.ownKeys(object)) {
      const { value, get } = Reflect.getOwnPropertyDescriptor(object, key);
      const isCode = typeof (value ?? get) === 'function' || object === globalThis;
      if (isCode && !SETTINGS.has(key)) traces.set(`${name}.${String(key)}`, value ?? get);
    }
  return traces;
}

function isSame(before, now) {
  return before.size === now.size && [...now].every(([what, value]) => Object.is(before.get(what), value));
}

/** Threads and processes that were told to end, their pipes, and what is being written or closed: `answer` waits for them. */
function withoutEnding(active) {
  return active
    .replaceAll(/CloseReq|FSReq\w+|MessagePort|PipeWrap|ProcessWrap|Simple\w+Wrap|Timeout/g, '')
    .replaceAll(/ +/g, ' ')
    .trim();
}

/** Timers, sockets, threads and processes that keep a process alive. */
function activeNow() {
  const names = process.getActiveResourcesInfo().filter((name) => name !== 'Immediate');
  return names.toSorted().join(' ');
}
