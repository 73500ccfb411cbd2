// Who may import whom. A room is a folder of src/; the table lists the rooms whose doors it may use.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const DOORS = {
  model: [],
  schema: ['model'],
  match: ['model'],
  stats: [],
  compare: ['model', 'schema', 'stats'],
  formats: ['model', 'schema', 'match'],
  assertions: ['model', 'schema', 'match'],
  load: ['model', 'schema', 'match', 'formats', 'assertions'],
  threads: ['model', 'assertions'],
  retry: [],
  processes: [],
  models: ['model', 'schema', 'match', 'retry'],
  agents: ['model', 'schema', 'match', 'models', 'processes', 'retry'],
  judges: ['model', 'schema', 'match', 'models', 'processes', 'retry'],
  config: ['model', 'schema', 'match', 'formats', 'load', 'agents', 'judges', 'models', 'processes'],
  journal: ['model', 'schema', 'processes'],
  run: ['model', 'schema', 'match', 'agents', 'retry', 'stats'],
  reporters: ['model', 'processes'],
  queue: ['model', 'run'],
  // Shows what the journal holds.
  view: ['model', 'match', 'stats', 'journal'],
  // Wires the rooms above into what people call.
  api: [
    'model',
    'match',
    'schema',
    'formats',
    'assertions',
    'load',
    'agents',
    'judges',
    'models',
    'processes',
    'config',
    'journal',
    'run',
    'reporters',
    'queue',
    'stats',
    'compare',
    'threads',
    'version.ts',
  ],
  cli: [
    'model',
    'match',
    'schema',
    'formats',
    'load',
    'processes',
    'agents',
    'config',
    'journal',
    'run',
    'reporters',
    'queue',
    'api',
    'view',
    'stats',
    'version.ts',
  ],
  'index.ts': ['model', 'formats', 'load', 'config', 'reporters', 'api', 'judge-sdk', 'agents'],
  'judge-sdk': ['model'],
  'version.ts': [],
};
/** Rooms that know nothing of the machine: no files, no process, no clock, no chance. */
const PURE = new Set(['model', 'schema', 'match', 'stats', 'compare', 'assertions', 'formats']);
const IMPURE =
  /\bfrom 'node:(?!zlib|buffer)|\bprocess\.|\bconsole\.|\bDate\.now\(|\bnew Date\(\)|\bperformance\.|\bMath\.random\(/;

const problems = [];
for (const file of sourceFiles('src')) {
  const room = roomOf(file);
  const text = readFileSync(file, 'utf8');
  const doors = DOORS[room];
  if (doors === undefined) {
    problems.push(`${file}: the room ${room} is not in the table of scripts/check-rooms.mjs`);
    continue;
  }
  for (const [, path] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
    const target = relative('.', join(dirname(file), path));
    if (!target.startsWith('src/')) continue;
    const other = roomOf(target);
    if (other !== room && !doors.includes(other))
      problems.push(`${file}: ${room} may not import ${other} (${path})`);
  }
  if (PURE.has(room) && IMPURE.test(text))
    problems.push(`${file}: ${room} is pure, but uses ${IMPURE.exec(text)[0]}`);
}
// The page is a program of its own: of all rooms it knows the shapes of the model, and no code.
for (const file of sourceFiles('web')) {
  const text = readFileSync(file, 'utf8');
  for (const [, clause, path] of text.matchAll(/(?:import|export) ([^;]*?)from '(\.[^']+)'/g)) {
    const target = relative('.', join(dirname(file), path));
    if (target.startsWith('web/')) continue;
    if (!target.startsWith('src/model/') || !clause.startsWith('type '))
      problems.push(`${file}: web may import types of model only (${path})`);
  }
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);

function* sourceFiles(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sourceFiles(path);
    else if (/\.tsx?$/.test(path) && !path.endsWith('.test.ts')) yield path;
  }
}

function roomOf(path) {
  return path.split('/')[1];
}
