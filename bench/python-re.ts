/*
 * Times searches and compiles of the standard-library vectors against CPython's re.
 *
 *     npx jiti bench/python-re.ts [rounds]
 *
 * Both sides time their own loops, with patterns compiled beforehand, and take turns; the table
 * shows medians. The module is bundled first, as it is when it ships.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

type Module = typeof import('../src/base/match/python-re/index.ts');

interface Times {
  readonly search: number;
  readonly compile: number;
}

const ROUNDS = Number(process.argv[2] ?? 15);
const WARM_UP_ROUNDS = 5;
const SEARCH_LOOPS = 20;
const FIXTURE = fileURLToPath(new URL('../test/fixtures/python-re/python-re-stdlib.json', import.meta.url));

const PYTHON = `
import json, re, sys, time, warnings
warnings.simplefilter("ignore")
vectors = json.load(open(sys.argv[1]))["vectors"]
patterns = list(dict.fromkeys(v["pattern"] for v in vectors))
for line in sys.stdin:
    start = time.perf_counter()
    for pattern in patterns:
        re.purge()
        re.compile(pattern)
    compiling = time.perf_counter() - start
    compiled = {pattern: re.compile(pattern) for pattern in patterns}
    searches = [(compiled[v["pattern"]].search, v["subject"]) for v in vectors]
    start = time.perf_counter()
    for _ in range(int(sys.argv[2])):
        for search, subject in searches:
            search(subject)
    searching = time.perf_counter() - start
    print(json.dumps({"search": searching * 1e3, "compile": compiling * 1e3}), flush=True)
`;

const { vectors } = JSON.parse(readFileSync(FIXTURE, 'utf8')) as {
  vectors: { pattern: string; subject: string }[];
};
const patterns = [...new Set(vectors.map(({ pattern }) => pattern))];

const bundled = await importBundle();
const child = spawn('python3', ['-c', PYTHON, FIXTURE, String(SEARCH_LOOPS)], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
const own: Times[] = [];
const python: Times[] = [];
for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
  const ownTimes = timeModule(bundled);
  child.stdin.write('\n');
  const pythonTimes = JSON.parse((await lines.next()).value as string) as Times;
  if (round < WARM_UP_ROUNDS) continue;
  own.push(ownTimes);
  python.push(pythonTimes);
}
child.stdin.end();
printRow('', 'python-re', 'CPython', 'ratio');
printTimes('search (µs each)', 'search', SEARCH_LOOPS * vectors.length);
printTimes('compile (µs each)', 'compile', patterns.length);

async function importBundle(): Promise<Module> {
  const folder = mkdtempSync(path.join(tmpdir(), 'python-re-'));
  const file = path.join(folder, 'bundle.mjs');
  const input = fileURLToPath(new URL('../src/base/match/python-re/index.ts', import.meta.url));
  const bundle = await rolldown({ input, platform: 'node' });
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  await bundle.close();
  try {
    return (await import(pathToFileURL(file).href)) as Module;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function timeModule({ compile, search }: Module): Times {
  const beforeCompile = performance.now();
  // The program is made by the first search.
  for (const pattern of patterns) search(compile(pattern), '');
  const compiling = performance.now() - beforeCompile;
  const compiled = new Map(patterns.map((pattern) => [pattern, compile(pattern)]));
  const searches = vectors.map(({ pattern, subject }) => ({ pattern: compiled.get(pattern)!, subject }));
  const beforeSearch = performance.now();
  for (let loop = 0; loop < SEARCH_LOOPS; loop += 1) {
    for (const { pattern, subject } of searches) search(pattern, subject);
  }
  return { search: performance.now() - beforeSearch, compile: compiling };
}

function printTimes(label: string, key: keyof Times, count: number): void {
  const ownTime = (median(own.map((times) => times[key])) * 1000) / count;
  const pythonTime = (median(python.map((times) => times[key])) * 1000) / count;
  printRow(label, ownTime.toFixed(3), pythonTime.toFixed(3), `${(ownTime / pythonTime).toFixed(2)}x`);
}

function printRow(...cells: readonly string[]): void {
  console.log(cells.map((cell, index) => (index === 0 ? cell.padEnd(18) : cell.padStart(10))).join(' '));
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)]!;
}
