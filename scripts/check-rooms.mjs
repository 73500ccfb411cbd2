// Who may import whom. The folders of src/ are floors, and each may use those below it. A floor has rooms; the table lists the
// rooms that each room may use, on its own floor and below. Files of a floor that are in no room of the table are the room named
// like the floor.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** From the ground up. */
const FLOORS = [
  'base',
  'evidence',
  'agents',
  'checks',
  'suites',
  'runs',
  'run',
  'show',
  'api',
  'lsp',
  'mcp',
  'vitest',
  'index.ts',
  'cli',
];
const DOORS = {
  'base/model': [],
  'base/schema': ['base/model'],
  'base/match': ['base/model', 'base/schema'],
  'base/stats': [],
  'base/files': ['base/model', 'base/system'],
  // The clock, the end of a command, when to retry.
  'base/system': [],
  // What an agent did, from every source: pure, apart from the observers.
  evidence: ['base/match', 'base/model', 'base/schema', 'base/system'],
  // Model traffic that is recorded and replayed.
  'evidence/cassettes': ['base/files', 'base/match', 'base/model', 'base/system', 'evidence'],
  // What goes wrong on purpose.
  'evidence/faults': ['base/match', 'base/model', 'evidence', 'evidence/cassettes'],
  'agents/processes': ['base/model', 'base/system'],
  'agents/llm': ['base/match', 'base/model', 'base/schema', 'base/system'],
  agents: [
    'base/files',
    'base/match',
    'base/model',
    'base/schema',
    'base/system',
    'evidence',
    'agents/llm',
    'agents/processes',
  ],
  'checks/contract': ['base/model', 'base/schema'],
  checks: ['base/match', 'base/model', 'base/schema', 'checks/contract'],
  'checks/judges': [
    'base/files',
    'base/match',
    'base/model',
    'base/schema',
    'base/system',
    'agents/llm',
    'agents/processes',
    'checks/contract',
  ],
  // Evaluators that users write: loads their files, and calls them.
  'checks/user-code': [
    'base/model',
    'base/schema',
    'base/system',
    'agents',
    'agents/processes',
    'checks',
    'checks/contract',
  ],
  'checks/judge-sdk': ['base/model'],
  'suites/formats': ['base/match', 'base/model', 'base/schema', 'checks/contract'],
  // Other tools' definitions, and our own formats, to suites.
  'suites/convert': ['base/match', 'base/model', 'base/schema', 'checks/contract', 'suites/formats'],
  'suites/load': [
    'base/files',
    'base/match',
    'base/model',
    'base/schema',
    'base/system',
    'checks',
    'checks/contract',
    'suites/convert',
    'suites/formats',
  ],
  'suites/config': [
    'base/files',
    'base/match',
    'base/model',
    'base/schema',
    'base/system',
    'agents',
    'agents/llm',
    'checks/judges',
    'suites/formats',
    'suites/load',
  ],
  // The attempts of each test together: the one fold over records.
  'runs/fold': ['base/model', 'base/stats'],
  'runs/compare': ['base/model', 'base/stats', 'runs/fold'],
  // What people say about results.
  'runs/labels': ['base/files', 'base/model'],
  'runs/journal': ['base/files', 'base/model', 'base/system', 'agents/processes', 'runs/fold'],
  run: [
    'base/match',
    'base/model',
    'base/stats',
    'base/system',
    'evidence',
    'evidence/cassettes',
    'evidence/faults',
    'agents',
    'checks/contract',
    'runs/fold',
  ],
  'run/queue': ['base/model', 'base/system', 'run'],
  'show/reporters': ['base/files', 'base/match', 'base/model', 'base/system', 'runs/fold'],
  // Shows what the journal holds.
  'show/view': [
    'runs/labels',
    'base/files',
    'base/match',
    'base/model',
    'base/stats',
    'base/system',
    'runs/fold',
    'runs/journal',
  ],
  // Wires the rooms above into what people call.
  api: [
    'runs/labels',
    'base/files',
    'base/match',
    'base/model',
    'base/schema',
    'base/stats',
    'base/system',
    'evidence',
    'evidence/cassettes',
    'agents',
    'agents/llm',
    'agents/processes',
    'checks',
    'checks/contract',
    'checks/judges',
    'checks/user-code',
    'suites/config',
    'suites/convert',
    'suites/formats',
    'suites/load',
    'runs/compare',
    'runs/fold',
    'runs/journal',
    'run',
    'run/queue',
    'show/reporters',
  ],
  // Answers editors: what is wrong with a text, what can be written in it, and what the last run said.
  lsp: [
    'base/files',
    'base/model',
    'base/schema',
    'base/system',
    'agents/llm',
    'agents/processes',
    'suites/config',
    'suites/formats',
    'suites/load',
    'runs/journal',
    'api',
  ],
  // The server for coding agents: it runs commands of this program, and shows what the journal holds.
  mcp: [
    'base/files',
    'base/match',
    'base/model',
    'base/system',
    'agents/processes',
    'suites/config',
    'suites/load',
    'runs/journal',
    'show/reporters',
  ],
  // `assay/vitest`: the tests of suites as tests of vitest.
  vitest: ['base/model', 'base/schema', 'runs/fold', 'show/reporters', 'api'],
  'index.ts': [
    'base/model',
    'agents',
    'checks/judge-sdk',
    'checks/user-code',
    'suites/config',
    'suites/formats',
    'suites/load',
    'show/reporters',
    'api',
  ],
  cli: [
    'base/files',
    'base/match',
    'base/model',
    'base/schema',
    'base/stats',
    'base/system',
    'evidence/cassettes',
    'agents',
    'agents/processes',
    'suites/config',
    'suites/convert',
    'suites/load',
    'runs/journal',
    'run',
    'run/queue',
    'show/reporters',
    'show/view',
    'api',
    'lsp',
    'mcp',
  ],
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
  'base/model',
  'base/schema',
  'base/match',
  'base/stats',
  'runs/fold',
  'runs/compare',
  'checks',
  'checks/contract',
  'suites/formats',
  'suites/convert',
]);
const IMPURE =
  /\bfrom 'node:(?!zlib|buffer|vm)|\bprocess\.|\bconsole\.|\bDate\.now\(|\bnew Date\(\)|\bperformance\.|\bMath\.random\(/;
/** Rooms that share a process with agents, which may replace the clock and the timers: they use those of system-time.ts. */
const OWN_TIME = new Set([
  'agents',
  'api',
  'cli',
  'runs/journal',
  'checks/judges',
  'agents/llm',
  'lsp',
  'agents/processes',
  'run/queue',
  'show/reporters',
  'run',
]);
const SHARED_TIME =
  /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|(?<![\w.])(?:set|clear)(?:Timeout|Interval|Immediate)\(|'node:timers/;

/** Rooms whose files never import each other in a circle, also not for types alone. */
const ACYCLIC = new Set(['evidence', 'evidence/cassettes', 'evidence/faults']);

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
const floorOf = (room) => FLOORS.indexOf(room.split('/')[0]);
for (const [room, doors] of Object.entries(DOORS))
  for (const door of doors)
    if (floorOf(door) > floorOf(room)) problems.push(`scripts/check-rooms.mjs: ${door} is above ${room}`);
// The page is a program of its own: of all rooms it knows the shapes of the model, and the code that makes it say the same as
// the terminal, and lets a report find what the server finds.
const PAGE_CODE = new Set([
  'src/runs/fold/target-grid.ts',
  'src/base/match/diff-sequences.ts',
  'src/base/model/approval-words.ts',
  'src/base/model/attempt-words.ts',
  'src/base/model/compares-output.ts',
  'src/base/model/comparison-headline.ts',
  'src/base/model/comparison-words.ts',
  'src/base/model/cost-words.ts',
  'src/base/model/dollars.ts',
  'src/base/model/duration.ts',
  'src/base/model/editor.ts',
  'src/base/model/fault.ts',
  'src/base/model/fold-text.ts',
  'src/base/model/group-by.ts',
  'src/base/model/grouped.ts',
  'src/base/model/json.ts',
  'src/base/model/json-text.ts',
  'src/base/model/other-calls-words.ts',
  'src/base/model/parse-json.ts',
  'src/base/model/parse-strict-json.ts',
  'src/base/model/pass-rate-words.ts',
  'src/base/model/percent.ts',
  'src/base/model/rerun-command.ts',
  'src/base/model/run-again.ts',
  'src/base/model/run-headline.ts',
  'src/base/model/score-sums.ts',
  'src/base/model/score-text.ts',
  'src/base/model/sent-texts.ts',
  'src/base/model/print-json.ts',
  'src/base/model/search-text.ts',
  'src/base/model/spending.ts',
  'src/base/model/test-key.ts',
]);
for (const file of sourceFiles('web')) {
  const text = readFileSync(file, 'utf8');
  for (const [, clause, path] of text.matchAll(/(?:import|export) ([^;]*?)from '(\.[^']+)'/g)) {
    const target = relative('.', join(dirname(file), path));
    if (target.startsWith('web/')) continue;
    if (!PAGE_CODE.has(target) && !(target.startsWith('src/base/model/') && clause.startsWith('type ')))
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
