import { MOST_REPEATS } from '../base/model/gate.ts';
import { parseShard } from '../run/plan/shard.ts';
import {
  choice,
  count,
  duration,
  flag,
  optional,
  optionalCount,
  readShare,
  share,
  text,
  value,
  type OptionTable,
} from './option.ts';
import {
  AGENT,
  ALLOW_SCRIPTS,
  COMPARED,
  CONFIG,
  FILTERS,
  HELP,
  MODE,
  NO_CACHE,
  NO_OPEN,
  REPORTED,
  TARGET,
  THRESHOLD,
  TRUST_CONFIG,
} from './shared-options.ts';

const DOLLARS = {
  placeholder: 'DOLLARS',
  wanted: 'US dollars such as 2.50',
  read: (given: string) =>
    /^\$?(?:\d+(?:\.\d+)?|\.\d+)$/.test(given) ? Number(given.replace('$', '')) : undefined,
};

const ASKED = {
  agent: AGENT,
  target: TARGET,
  config: CONFIG,
  'allow-scripts': ALLOW_SCRIPTS,
  'trust-config': { ...TRUST_CONFIG, doc: `with --list, ${TRUST_CONFIG.doc}` },
} satisfies OptionTable;

const SELECTED = {
  ...FILTERS,
  'last-failed': flag('only tests that did not pass in their newest run, or never ran (--lf)', {
    alias: 'lf',
  }),
  'failed-first': flag('run the tests that did not pass in their newest run first (--ff)', {
    alias: 'ff',
  }),
  list: flag('list the tests without running them'),
  shard: value('run one part of the plan: 2/5 is the second of five', {
    placeholder: 'I/N',
    wanted: 'a part of a whole such as 2/5 (the second of five)',
    read: parseShard,
  }),
  'shard-by': text('balance shards by the durations of this run', { placeholder: 'RUN' }),
  'pass-with-no-tests': flag('succeed when no tests run'),
} satisfies OptionTable;

const MADE = {
  workers: count('how many tests to run at once (default: as many as the agent allows)', { short: 'j' }),
  timeout: duration('how long one attempt may take: 500ms, 90s, 2m (default 120s)'),
  retry: count("how often to retry after an infrastructure failure (default: the target's setting, else 2)", {
    min: 0,
  }),
  bail: optionalCount('stop after N tests that do not pass (without N: after the first)', {
    short: 'x',
    alone: 1,
  }),
  'no-stop': flag('keep calling a target even if every test ends with the same error'),
  'max-cost': value('start no more attempts after spending this many US dollars', DOLLARS),
  observe: optional(
    'watch the model calls of programs, Python agents and servers that Assay starts; --observe=otel: read the OpenTelemetry of agents',
    { placeholder: 'otel' },
  ),
  'no-observe': flag('do not watch the model calls of any agent'),
  cassettes: choice(
    'keep model calls in files: record, replay, new (record what is missing) or off',
    ['record', 'replay', 'new', 'off'],
    MODE,
  ),
  'cassette-timing': flag('with --cassettes replay: answer after the recorded delays'),
  changed: flag('run only what changed since the last run with --changed or `assay watch`'),
  resume: optional('continue the latest run of these files, or the run you name', { placeholder: 'RUN' }),
  name: text('a name for this run, shown in lists and reports', { placeholder: 'TEXT' }),
  'no-record': flag('do not write the run to .assay'),
  'no-cache': NO_CACHE,
} satisfies OptionTable;

const REPEATED = {
  repeats: value('how often to run each test, or auto: until its gate is decided', {
    placeholder: 'N|auto',
    wanted: 'an integer of at least 1, or auto',
    read: (given) => (given === 'auto' ? 'auto' : /^[1-9]\d{0,8}$/.test(given) ? Number(given) : undefined),
  }),
  confidence: value('for --repeats auto: how sure a decision must be (default 0.95)', {
    placeholder: 'SHARE',
    wanted: 'a number from 0.5 to below 1, such as 0.95',
    read(given) {
      const confidence = readShare(given) ?? 0;
      return confidence >= 0.5 && confidence < 1 ? confidence : undefined;
    },
  }),
  'max-repeats': count('for --repeats auto: run no test more often than this (default 50)', {
    max: MOST_REPEATS,
  }),
} satisfies OptionTable;

const JUDGED = {
  threshold: THRESHOLD,
  'min-pass-rate': share('gate: this share of attempts must pass, 0.9 or 90%'),
  'max-flaky': value('gate: at most this many flaky tests, 2 or 5%', {
    placeholder: 'N|SHARE',
    wanted: 'a number of tests such as 2, or a share such as 5%',
    read: readMaxFlaky,
  }),
  'min-coverage': share('gates are inconclusive if a smaller share was measured (default 0.9)'),
  ...COMPARED,
  strict: flag('treat warnings about files, replies and evidence as errors'),
} satisfies OptionTable;

/** An integer counts tests; a fraction or a percentage is a share of them. */
function readMaxFlaky(given: string): number | undefined {
  if (/^\d+$/.test(given)) return Number(given);
  const read = readShare(given);
  return read !== undefined && read < 1 ? read : undefined;
}

const SHOWN = {
  ...REPORTED,
  watch: flag('keep running, and rerun what a change affects: same as `assay watch`'),
  'ask-above': value(
    'while watching: ask before a run that may cost more than this many US dollars (default 0.50)',
    DOLLARS,
  ),
  view: flag('watch the run in the browser'),
  'no-open': NO_OPEN,
  update: flag('replace expected values of failed tests with the actual ones; not in CI', { short: 'u' }),
  ...HELP,
} satisfies OptionTable;

const QUEUED = {
  queue: text(
    'run the tests on the workers of this queue: redis://..., postgres://..., or the name of a variable with the URL',
    { placeholder: 'URL' },
  ),
  'lost-after': duration('how long a worker may be silent before others get its tests (default 30s)'),
  'worker-wait': duration('how long to wait for the queue or for a worker (default 10m)'),
} satisfies OptionTable;

export const RUN_OPTIONS = {
  ...under('Agent and targets', ASKED),
  ...under('Selecting tests', SELECTED),
  ...under('Running', MADE),
  ...under('Repeats', REPEATED),
  ...under('Gates', JUDGED),
  ...under('Output', SHOWN),
  ...under('Workers on a queue', QUEUED),
};

/** Those that `assay watch` refuses: it starts a run after each change, and each is one of its own. */
export const NOT_WATCHING = [
  'resume',
  'last-failed',
  'failed-first',
  'no-record',
  'shard',
  'queue',
  'list',
  'view',
  'update',
] as const;

/** What the help of `assay watch` leaves out: those, and what has a meaning only with one of them. */
export const NOT_IN_WATCH_HELP: readonly (keyof typeof RUN_OPTIONS)[] = [
  ...NOT_WATCHING,
  'watch',
  'changed',
  'shard-by',
  'trust-config',
  'no-open',
  'lost-after',
  'worker-wait',
];

/** The options of a table under one heading of the help. */
function under<Table extends OptionTable>(group: string, table: Table): Table {
  return Object.fromEntries(
    Object.entries(table).map(([name, option]) => [name, { ...option, group }]),
  ) as unknown as Table;
}
