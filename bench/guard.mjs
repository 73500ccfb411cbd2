// `npm run bench:guard`: fails when a path has become slower, against bare node in the same run. `-- --update` commits the
// ratios of today. How it stays steady on a busy machine: contributing/benchmarks.md.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { guardFiles, writeCassettes } from './guard-project.mjs';
import { CLI, count, withProject } from './measure.mjs';

const COMMITTED = 'bench/guard.json';
/** A ratio may be this many times the committed one. */
const MOST = 1.25;
const FILES = Number(process.env.BENCH_FILES ?? 1000);
const CASES = Number(process.env.BENCH_CASES ?? 5000);
const REPLAYED = Number(process.env.BENCH_REPLAYED ?? 300);
const ATTEMPTS = Number(process.env.BENCH_ATTEMPTS ?? 20_000);

const USAGE = resolve('bench/report-usage.cjs');
/** For bench/prove-guard.mjs: the only path that is measured, and how much slower Assay is made there. */
const ONLY = process.env.BENCH_ONLY;
const SLOWER = Number(process.env.BENCH_SLOWER ?? 0);
const SLOW_DOWN = resolve('bench/slow-down.cjs');
/** What V8 compiles and collects in other threads differs from run to run. */
const STEADY = ['--single-threaded'];
/** For memory: when V8 collects depends on how fast everything is. It makes the CPU time of large heaps less steady. */
const STEADY_MEMORY = [...STEADY, '--predictable-gc-schedule'];
const PIN = pinToOneCore();

const isUpdate = process.argv.includes('--update');
const measured = await withProject(
  guardFiles({ files: FILES, cases: CASES, attempts: ATTEMPTS }),
  measureAll,
);
if (isUpdate) commit(measured);
else compareWithCommitted(measured);

async function measureAll(cwd) {
  const env = {
    PATH: process.env.PATH,
    HOME: cwd,
    // What Assay compiles is kept there, from the first run on.
    XDG_CACHE_HOME: join(cwd, 'cache'),
    TMPDIR: cwd,
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
  };
  const run = (args, { folder = '.', flags = STEADY, tests, more } = {}) =>
    runMeasured([...flags, '--require', USAGE, ...args], {
      cwd: join(cwd, folder),
      env: { ...env, ...more },
      tests,
    });
  const bare = (name, options) => () => run([resolve('bench/bare', name)], options);
  const assay = (args, options) => () => run([CLI, 'run', ...args, '--agent', './agent.mjs'], options);
  /** The same with a share of what it needs added, if that is wanted. */
  const slowed = (args, { flags = STEADY, ...options }, needs) => {
    const more = Object.fromEntries(Object.entries(needs).map(([what, value]) => [what, value * SLOWER]));
    return assay(args, {
      ...options,
      flags: ['--require', SLOW_DOWN, ...flags],
      more: { BENCH_MORE: JSON.stringify(more) },
    });
  };
  const bareStart = () => run(['agent.mjs']);
  const start = assay(['one.test.yaml'], { tests: 1 });
  const dataset = { folder: 'cases', tests: CASES };
  const replay = { folder: 'replay', tests: REPLAYED };
  const big = { folder: 'memory', flags: STEADY_MEMORY, tests: ATTEMPTS };
  await writeCassettes(join(cwd, 'replay'), { tests: REPLAYED, env });
  await start();

  const starts = await rounds(11, () => sideBySide(start, [bareStart]));
  const startRatio = median(starts.map(({ own, others: [one] }) => own / one));
  /** What the path itself costs: what it takes to start is subtracted, so that it hides nothing. */
  const pathOf = async (args, loop, options) => {
    const measure = (own) => sideBySide(own, [bare(loop, options), bareStart]);
    const plain = assay(args, options);
    const slow = async () => {
      const { own: took, others } = await measure(plain);
      return slowed(args, options, { cpuMs: took - startRatio * others[1] });
    };
    const path = SLOWER === 0 ? plain : await slow();
    const all = await rounds(3, () => measure(path));
    return all.map(({ own: took, others: [work, begin] }) => (took - startRatio * begin) / work);
  };
  const ratioOfStart = async () => {
    const needs = { cpuMs: median(starts.map(({ own }) => own)) };
    const slow = slowed(['one.test.yaml'], { tests: 1 }, needs);
    const all = SLOWER === 0 ? starts : await rounds(11, () => sideBySide(slow, [bareStart]));
    return all.map(({ own: took, others: [one] }) => took / one);
  };
  const paths = {
    'start of one test': ratioOfStart,
    [`${count(FILES)} files`]: () => pathOf(['many'], 'files-loop.mjs', { tests: FILES }),
    [`${count(CASES)} cases with three evaluators`]: () =>
      pathOf(['cases.jsonl'], 'dataset-loop.mjs', dataset),
    'replayed model calls': () =>
      pathOf(['many.test.json', '--cassettes', 'replay'], 'replay-loop.mjs', replay),
    [`memory of ${count(ATTEMPTS)} attempts`]: () =>
      memoryOf({
        start: assay(['one.test.yaml'], { flags: STEADY_MEMORY, tests: 1 }),
        own: assay(['cases.jsonl'], big),
        slow: (peakMb) => slowed(['cases.jsonl'], big, { peakMb }),
        other: bare('dataset-loop.mjs', big),
      }),
  };
  const ratios = {};
  for (const [path, measure] of Object.entries(paths))
    if (ONLY === undefined || ONLY === path) ratios[path] = await measure();
  return ratios;
}

/** What the attempts add to the memory of one, against what the bare loop needs. */
async function memoryOf({ start, own, slow, other }) {
  const [starts, work] = await Promise.all([rounds(5, start), other()]);
  const begin = median(starts.map(({ peakMb }) => peakMb));
  const path = SLOWER === 0 ? own : slow((await own()).peakMb - begin);
  const runs = await rounds(2, path);
  return runs.map(({ peakMb }) => (peakMb - begin) / work.peakMb);
}

/**
 * One run beside others that are repeated until it ends, on one core: they take turns every few milliseconds, so whatever
 * slows the machine down slows all of them alike.
 */
async function sideBySide(own, others) {
  const took = others.map(() => []);
  const ending = new AbortController();
  const beside = (async () => {
    do for (const [index, other] of others.entries()) took[index].push((await other()).cpuMs);
    while (!ending.signal.aborted);
  })();
  const { cpuMs } = await own();
  ending.abort();
  await beside;
  return { own: cpuMs, others: took.map(mean) };
}

function pinToOneCore() {
  if (spawnSync('taskset', ['--version']).status !== 0) return [];
  const allowed = /^Cpus_allowed_list:.*?(\d+)$/m.exec(readFileSync('/proc/self/status', 'utf8'));
  return allowed === null ? [] : ['taskset', '--cpu-list', allowed[1]];
}

/** A run that did not pass every test measures nothing. */
function runMeasured(args, { cwd, env, tests }) {
  const [program, ...rest] = [...PIN, process.execPath, ...args];
  const child = spawn(program, rest, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (text) => (output += text));
  child.stderr.on('data', (text) => (output += text));
  return new Promise((done, giveUp) => {
    child.on('error', giveUp).on('close', (status) => {
      const usage = /^USAGE=(.*)$/m.exec(output);
      const passed = /(\d+) passed \(\1\)|(\d+) of \2 passed/.exec(output);
      const isWhole = tests === undefined || Number(passed?.[1] ?? passed?.[2]) === tests;
      if (args.includes(CLI)) rmSync(join(cwd, '.assay/runs'), { recursive: true, force: true });
      if (status === 0 && usage !== null && isWhole) done(JSON.parse(usage[1]));
      else giveUp(new Error(`${rest.join(' ')} ended with ${status}\n${output.slice(-2000)}`));
    });
  });
}

async function rounds(number, run) {
  const all = [];
  for (let round = 0; round < number; round++) all.push(await run());
  return all;
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function median(values) {
  return quantile(values, 0.5);
}

function quantile(values, share) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)];
}

/** One of the lower rounds, so that a run of the guard, which takes their median, misses no slowdown of 30%. */
function commit(paths) {
  const ratios = Object.fromEntries(
    Object.entries(paths).map(([path, ratio]) => [path, Number(quantile(ratio, 0.25).toFixed(3))]),
  );
  writeFileSync(COMMITTED, `${JSON.stringify({ node: nodeMajor(), ratios }, undefined, 2)}\n`);
  console.log(`${COMMITTED}: ${JSON.stringify(ratios, undefined, 2)}`);
}

function compareWithCommitted(paths) {
  const { node, ratios } = JSON.parse(readFileSync(COMMITTED, 'utf8'));
  if (node !== nodeMajor())
    fail(`the ratios in ${COMMITTED} are those of Node ${node}; this is ${process.version}`);
  for (const [path, all] of Object.entries(paths)) {
    const ratio = median(all);
    const committed = ratios[path];
    const change =
      committed === undefined ? '' : `, ${percent(ratio / committed)} of the committed ${committed}x`;
    console.log(`${path}: ${ratio.toFixed(2)}x bare node${change}`);
    if (committed === undefined) fail(`${path} has no ratio in ${COMMITTED}`);
    else if (ratio > committed * MOST)
      fail(`${path}: at most ${percent(MOST)} of the committed ratio is allowed`);
    else if (ratio < committed / MOST) console.log('  faster than committed: keep the gain with --update');
  }
  if (process.exitCode === 1)
    console.error('If this is intended: npm run bench:guard -- --update, and say why in the commit.');
}

function fail(message) {
  console.error(`  ${message}`);
  process.exitCode = 1;
}

function nodeMajor() {
  return Number(process.versions.node.split('.')[0]);
}

function percent(value) {
  return `${Math.round(value * 100)}%`;
}
