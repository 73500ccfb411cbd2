// Who may import whom. A room is a folder of src/; the table lists the rooms whose doors it may use. A folder inside of a
// room may be a room of its own, like a contract that others know without what is behind it.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const DOORS = {
  model: [],
  schema: ['model'],
  match: ['model', 'schema'],
  stats: [],
  verdicts: ['model', 'stats'],
  // The attempts of each test together: the one fold over records.
  fold: ['model', 'verdicts'],
  compare: ['fold', 'model', 'stats', 'verdicts'],
  'assertions/contract': ['model', 'schema'],
  assertions: ['assertions/contract', 'model', 'schema', 'match'],
  formats: ['assertions/contract', 'model', 'schema', 'match'],
  // Other tools' definitions, and our own formats, to suites.
  convert: ['assertions/contract', 'formats', 'match', 'model', 'schema'],
  load: [
    'convert',
    'files',
    'model',
    'schema',
    'match',
    'formats',
    'assertions',
    'assertions/contract',
    'optimize-later.ts',
    'small-heap.ts',
  ],
  files: [],
  processes: ['model', 'system-time.ts'],
  llm: ['model', 'schema', 'match', 'retry.ts', 'system-time.ts', 'own-requests.ts'],
  // What an agent did, from every source: pure, apart from the observers.
  evidence: ['match', 'model', 'schema', 'system-time.ts', 'own-requests.ts'],
  // Model traffic that is recorded and replayed.
  cassettes: ['evidence', 'files', 'match', 'model', 'system-time.ts'],
  // What goes wrong on purpose.
  faults: ['cassettes', 'evidence', 'match', 'model'],
  agents: [
    'evidence',
    'files',
    'model',
    'schema',
    'match',
    'llm',
    'processes',
    'retry.ts',
    'system-time.ts',
    'version.ts',
  ],
  judges: [
    'assertions/contract',
    'files',
    'model',
    'schema',
    'match',
    'llm',
    'processes',
    'retry.ts',
    'system-time.ts',
  ],
  // Evaluators that users write: loads their files, and calls them.
  'custom-evaluators': [
    'agents',
    'assertions',
    'assertions/contract',
    'model',
    'processes',
    'schema',
    'system-time.ts',
  ],
  config: [
    'files',
    'model',
    'schema',
    'match',
    'formats',
    'load',
    'agents',
    'judges',
    'llm',
    'command-end.ts',
  ],
  journal: ['fold', 'model', 'files', 'processes', 'system-time.ts'],
  run: [
    'assertions/contract',
    'cassettes',
    'evidence',
    'faults',
    'fold',
    'model',
    'match',
    'agents',
    'retry.ts',
    'stats',
    'verdicts',
    'system-time.ts',
  ],
  reporters: ['fold', 'match', 'model', 'files', 'small-heap.ts', 'system-time.ts'],
  queue: ['model', 'run', 'system-time.ts'],
  // Shows what the journal holds.
  view: ['fold', 'model', 'files', 'match', 'stats', 'journal', 'verdicts', 'system-time.ts'],
  // The server for coding agents: it runs commands of this program, and shows what the journal holds.
  mcp: [
    'config',
    'files',
    'journal',
    'load',
    'match',
    'model',
    'processes',
    'reporters',
    'system-time.ts',
    'version.ts',
  ],
  // Answers editors: what is wrong with a text, what can be written in it, and what the last run said.
  lsp: [
    'api',
    'config',
    'files',
    'formats',
    'journal',
    'llm',
    'load',
    'model',
    'processes',
    'schema',
    'system-time.ts',
  ],
  // Wires the rooms above into what people call.
  api: [
    'command-end.ts',
    'cassettes',
    'evidence',
    'files',
    'model',
    'match',
    'schema',
    'formats',
    'assertions',
    'assertions/contract',
    'load',
    'agents',
    'custom-evaluators',
    'judges',
    'llm',
    'processes',
    'config',
    'convert',
    'journal',
    'run',
    'reporters',
    'queue',
    'stats',
    'compare',
    'verdicts',
    'version.ts',
    'optimize-later.ts',
    'small-heap.ts',
    'system-time.ts',
    'replaced-builtins.ts',
  ],
  cli: [
    'command-end.ts',
    'cassettes',
    'convert',
    'files',
    'model',
    'match',
    'processes',
    'schema',
    'load',
    'lsp',
    'agents',
    'config',
    'journal',
    'run',
    'reporters',
    'queue',
    'api',
    'mcp',
    'view',
    'stats',
    'version.ts',
    'system-time.ts',
  ],
  'index.ts': [
    'model',
    'formats',
    'load',
    'config',
    'reporters',
    'api',
    'judge-sdk',
    'agents',
    'custom-evaluators',
  ],
  'judge-sdk': ['model'],
  // `assay/vitest`: the tests of suites as tests of vitest.
  vitest: ['api', 'fold', 'model', 'reporters', 'schema'],
  'version.ts': [],
  'optimize-later.ts': [],
  'small-heap.ts': [],
  'command-end.ts': [],
  'system-time.ts': [],
  'own-requests.ts': [],
  // When to ask again what failed.
  'retry.ts': ['system-time.ts'],
  'replaced-builtins.ts': [],
};
/**
 * The folders of api that several use cases need, and what each may use of the others. Every other folder is a use case: it may
 * use all of these, and no other use case.
 */
const API_PARTS = {
  basics: [],
  // What a recorded run says.
  recorded: [],
  // Which tests are wanted.
  select: ['basics', 'evaluation'],
  // The run that is in progress.
  resume: ['basics', 'recorded', 'select'],
  // What evaluators need of the world outside.
  evaluation: ['basics'],
  // The agents of a run, and their code.
  targets: ['basics'],
  // What changed since a run.
  changes: ['basics', 'recorded', 'resume', 'select'],
  // What a run is compared with.
  baseline: [],
};
/** Single files of another use case. */
const EXCEPTIONS = {
  run: ['shards/plan-shard.ts', 'shards/shard-error.ts'],
  validate: ['check-suite/test-weaknesses.ts'],
};
/** Rooms that know nothing of the machine: no files, no process, no clock, no chance. */
const PURE = new Set([
  'model',
  'schema',
  'match',
  'stats',
  'verdicts',
  'fold',
  'compare',
  'assertions',
  'assertions/contract',
  'formats',
  'convert',
]);
const IMPURE =
  /\bfrom 'node:(?!zlib|buffer|vm)|\bprocess\.|\bconsole\.|\bDate\.now\(|\bnew Date\(\)|\bperformance\.|\bMath\.random\(/;
/** Rooms that share a process with agents, which may replace the clock and the timers: they use those of system-time.ts. */
const OWN_TIME = new Set([
  'agents',
  'api',
  'cli',
  'journal',
  'judges',
  'llm',
  'lsp',
  'processes',
  'queue',
  'reporters',
  'retry.ts',
  'run',
]);
const SHARED_TIME =
  /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|(?<![\w.])(?:set|clear)(?:Timeout|Interval|Immediate)\(|'node:timers/;

/** Rooms whose files never import each other in a circle, also not for types alone. */
const ACYCLIC = new Set(['evidence', 'cassettes', 'faults']);

const problems = [];
const used = new Set();
for (const file of sourceFiles('src')) {
  const room = roomOf(file);
  const text = readFileSync(file, 'utf8');
  const doors = DOORS[room];
  if (doors === undefined) {
    problems.push(`${file}: the room ${room} is not in the table of scripts/check-rooms.mjs`);
    continue;
  }
  const folder = room === 'api' ? apiFolderOf(file) : undefined;
  if (room === 'api' && folder === undefined)
    problems.push(
      `${file}: a file of api is in the folder of a use case or of a part (scripts/check-rooms.mjs)`,
    );
  for (const [, path] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
    const target = relative('.', join(dirname(file), path));
    if (!target.startsWith('src/')) continue;
    const other = roomOf(target);
    used.add(`${room} ${other}`);
    if (other !== room && !doors.includes(other))
      problems.push(`${file}: ${room} may not import ${other} (${path})`);
    if (folder !== undefined && other === 'api' && !mayUse(folder, target))
      problems.push(`${file}: api/${folder} may not import this (${path})`);
  }
  if (PURE.has(room) && IMPURE.test(text))
    problems.push(`${file}: ${room} is pure, but uses ${IMPURE.exec(text)[0]}`);
  if (OWN_TIME.has(room) && SHARED_TIME.test(text))
    problems.push(`${file}: use system-time.ts instead of ${SHARED_TIME.exec(text)[0]}`);
}
for (const [room, doors] of Object.entries(DOORS))
  for (const door of doors)
    if (!used.has(`${room} ${door}`)) problems.push(`scripts/check-rooms.mjs: ${room} does not use ${door}`);
// The page is a program of its own: of all rooms it knows the shapes of the model, and the code that makes it say the same as
// the terminal, and lets a report find what the server finds.
const PAGE_CODE = new Set([
  'src/fold/run-fold.ts',
  'src/fold/target-grid.ts',
  'src/fold/test-result.ts',
  'src/match/diff-sequences.ts',
  'src/model/attempt-words.ts',
  'src/model/compares-output.ts',
  'src/model/comparison-headline.ts',
  'src/model/comparison-words.ts',
  'src/model/cost-words.ts',
  'src/model/dollars.ts',
  'src/model/duration.ts',
  'src/model/editor.ts',
  'src/model/fault.ts',
  'src/model/fold-text.ts',
  'src/model/json.ts',
  'src/model/pass-rate-words.ts',
  'src/model/percent.ts',
  'src/model/rerun-command.ts',
  'src/model/run-again.ts',
  'src/model/run-headline.ts',
  'src/model/score-sums.ts',
  'src/model/score-text.ts',
  'src/model/search-text.ts',
  'src/model/spending.ts',
]);
for (const file of sourceFiles('web')) {
  const text = readFileSync(file, 'utf8');
  for (const [, clause, path] of text.matchAll(/(?:import|export) ([^;]*?)from '(\.[^']+)'/g)) {
    const target = relative('.', join(dirname(file), path));
    if (target.startsWith('web/')) continue;
    if (!PAGE_CODE.has(target) && !(target.startsWith('src/model/') && clause.startsWith('type ')))
      problems.push(`${file}: web may import types of model, and the code in PAGE_CODE (${path})`);
  }
}
for (const cycle of cyclesIn(ACYCLIC))
  problems.push(`these files import each other in a circle: ${cycle.join(', ')}`);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);

function* sourceFiles(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sourceFiles(path);
    else if (/\.tsx?$/.test(path) && !path.endsWith('.test.ts')) yield path;
  }
}

/** Files of these rooms from which imports lead back to themselves. */
function cyclesIn(rooms) {
  const imports = new Map();
  for (const file of sourceFiles('src'))
    if (rooms.has(roomOf(file))) {
      const paths = readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g);
      imports.set(
        file,
        [...paths].map(([, path]) => relative('.', join(dirname(file), path))),
      );
    }
  const reached = (from) => {
    const seen = new Set();
    const open = [...(imports.get(from) ?? [])];
    for (let file = open.pop(); file !== undefined; file = open.pop())
      if (!seen.has(file)) {
        seen.add(file);
        open.push(...(imports.get(file) ?? []));
      }
    return seen;
  };
  const inCircle = [...imports.keys()].filter((file) => reached(file).has(file));
  return inCircle.length === 0 ? [] : [inCircle];
}

function roomOf(path) {
  const [, room, inner] = path.split('/');
  return Object.hasOwn(DOORS, `${room}/${inner}`) ? `${room}/${inner}` : room;
}

/** Undefined when it is in none. */
function apiFolderOf(path) {
  const [, , folder, file] = path.split('/');
  return file === undefined ? undefined : folder;
}

function mayUse(folder, target) {
  const inApi = target.slice('src/api/'.length);
  const [other] = inApi.split('/');
  const allowed = API_PARTS[folder] ?? [...Object.keys(API_PARTS), ...(EXCEPTIONS[folder] ?? [])];
  return other === folder || allowed.includes(other) || allowed.includes(inApi);
}
