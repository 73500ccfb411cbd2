import { REPORTERS } from '../reporters/registry.ts';
import type { Command } from './command.ts';

export interface OptionDefinition {
  /** `optional`: may stand alone or be given a value with `=`. `list`: may be given more than once. */
  readonly type: 'boolean' | 'string' | 'optional' | 'list';
  readonly short?: string;
  readonly doc: string;
}

export interface CommandDefinition {
  readonly summary: string;
  readonly usage: string;
  readonly options: Readonly<Record<string, OptionDefinition>>;
  readonly examples: readonly string[];
  /** Loaded when it is used, so that no command waits for another's code. */
  readonly load: () => Promise<Command>;
}

const HELP: OptionDefinition = { type: 'boolean', short: 'h', doc: 'show this help' };

const CONFIG: OptionDefinition = { type: 'string', doc: 'this config file and no other' };
const TRUST_CONFIG: OptionDefinition = {
  type: 'boolean',
  doc: 'read the root config also when it is code, which executes it',
};
const ALLOW_SCRIPTS: OptionDefinition = {
  type: 'boolean',
  doc: 'let programs that suites name run (code_judge)',
};
const NO_CACHE: OptionDefinition = { type: 'boolean', doc: 'ask judges again instead of using kept answers' };
const FAIL_ON: OptionDefinition = {
  type: 'string',
  doc: 'what is a regression: regression (default), significant, new-failure, any',
};
const NO_OPEN: OptionDefinition = { type: 'boolean', doc: 'print the address, open no browser' };
const REPORTER: OptionDefinition = {
  type: 'list',
  doc: `NAME or NAME=FILE, repeatable: ${Object.keys(REPORTERS).join(', ')} or ./my-reporter.ts`,
};
const OUTPUT_FILE: OptionDefinition = { type: 'string', doc: 'the file of the one reporter without a file' };
/** `--json FILE` and so on: what `assay report` is mostly asked for. */
const REPORT_FILES: Readonly<Record<string, OptionDefinition>> = Object.fromEntries(
  Object.entries(REPORTERS)
    .filter(([name]) => name !== 'terminal')
    .map(([name, { doc }]) => [name, { type: 'string', doc: `write ${doc}; - for stdout` }]),
);

/** Every command and every option: the parser, the help and the docs read this table. */
export const COMMANDS: Readonly<Record<string, CommandDefinition>> = {
  run: {
    summary: 'run tests',
    usage: 'assay run [PATHS...] [options]',
    options: {
      agent: { type: 'string', doc: 'the agent: ./agent.ts, ./agent.py, "cmd: ./my-agent", https://...' },
      target: { type: 'string', doc: 'a target of the config' },
      config: CONFIG,
      grep: { type: 'string', short: 't', doc: 'only tests whose id or description matches' },
      tag: { type: 'list', doc: 'only tests with one of these tags (a,b; may be repeated)' },
      'last-failed': {
        type: 'boolean',
        doc: 'only tests whose newest record is not a pass, and those without one',
      },
      resume: { type: 'optional', doc: 'continue the latest run of these files, or --resume=RUN' },
      shard: { type: 'string', doc: 'run one part of the plan: 2/5 is the second of five' },
      'shard-by': { type: 'string', doc: 'balance shards by the durations of this run' },
      queue: {
        type: 'string',
        doc: 'have the tests run by workers on this queue: redis://..., postgres://..., or a variable that holds it',
      },
      'lost-after': {
        type: 'string',
        doc: 'how long a worker may be silent before others get its tests (default 30s)',
      },
      'worker-wait': { type: 'string', doc: 'how long to wait for the queue or for a worker (default 10m)' },
      'no-record': { type: 'boolean', doc: 'do not write the run to .assay' },
      'allow-scripts': ALLOW_SCRIPTS,
      'no-cache': NO_CACHE,
      list: { type: 'boolean', doc: 'print the tests, run none' },
      'trust-config': { ...TRUST_CONFIG, doc: `with --list, ${TRUST_CONFIG.doc}` },
      workers: { type: 'string', doc: 'how many tests at once' },
      repeats: { type: 'string', doc: 'how often to run each test, or auto: until its gate is decided' },
      confidence: { type: 'string', doc: 'for --repeats auto: how sure a decision must be (default 0.95)' },
      'max-repeats': { type: 'string', doc: 'for --repeats auto: how often at most (default 50)' },
      'min-pass-rate': { type: 'string', doc: 'gate: this share of attempts must pass, 0.9 or 90%' },
      'max-flaky': { type: 'string', doc: 'gate: at most so many flaky tests, 2 or 5%' },
      'min-coverage': { type: 'string', doc: 'below this share measured, gates are undecided (default 0.9)' },
      'max-cost': { type: 'string', doc: 'start nothing more once this many US dollars are spent' },
      retry: { type: 'string', doc: 'how often to try again after an infrastructure failure (default 2)' },
      timeout: { type: 'string', doc: 'how long one attempt may take: 500ms, 90s, 2m (default 120s)' },
      bail: { type: 'boolean', doc: 'stop at the first test that does not pass' },
      threshold: { type: 'string', doc: 'what the mean of evaluators must reach (default 0.8)' },
      baseline: {
        type: 'string',
        doc: 'compare with this run or baseline file; a regression is exit code 1',
      },
      'fail-on': { ...FAIL_ON, doc: `with --baseline, ${FAIL_ON.doc}` },
      update: {
        type: 'boolean',
        doc: 'write actual values over the expected ones of tests that failed; never in CI',
      },
      reporter: REPORTER,
      'output-file': OUTPUT_FILE,
      view: { type: 'boolean', doc: 'look at the run in the browser while it goes on' },
      'no-open': NO_OPEN,
      strict: { type: 'boolean', doc: 'warnings about files, replies and evidence are errors' },
      'pass-with-no-tests': { type: 'boolean', doc: 'running no test is no error' },
      help: HELP,
    },
    examples: [
      'assay run tests --agent agent.py',
      'assay run tests/booking.test.yaml:12 --agent ./agent.ts',
      'assay run --agent "cmd: ./my-agent --fast" -t booking',
      'assay run --agent http://localhost:8080/chat --reporter json',
      'assay run --repeats 10 --min-pass-rate 90%',
      'assay run --repeats auto --confidence 0.95 --max-cost 5',
      'assay run tests --reporter junit=junit.xml --reporter json=results.json',
    ],
    load: async () => (await import('./commands/run.ts')).run,
  },
  validate: {
    summary: 'check suites and say what is wrong, where, and what to do',
    usage: 'assay validate [PATHS...] [options]',
    options: {
      json: { type: 'boolean', doc: 'print the findings as JSON' },
      strict: { type: 'boolean', doc: 'warnings are errors' },
      'pass-with-no-tests': { type: 'boolean', doc: 'finding no suite is no error' },
      'trust-config': TRUST_CONFIG,
      help: HELP,
    },
    examples: [
      'assay validate',
      'assay validate tests/booking.test.yaml',
      'assay validate "evals/**/*.yaml" --strict',
    ],
    load: async () => (await import('./commands/validate.ts')).validate,
  },
  check: {
    summary:
      'test suites themselves: which tests cannot pass, which cannot fail, and which assertions say nothing',
    usage: 'assay check [PATHS...] [options]',
    options: {
      grep: { type: 'string', short: 't', doc: 'only tests whose id or description matches' },
      tag: { type: 'list', doc: 'only tests with one of these tags (a,b; may be repeated)' },
      threshold: { type: 'string', doc: 'what the mean of evaluators must reach (default 0.8)' },
      config: CONFIG,
      'trust-config': TRUST_CONFIG,
      'allow-unchecked': { type: 'boolean', doc: 'exit with 0 even if some tests could not be checked' },
      strict: { type: 'boolean', doc: 'warnings of the files are errors' },
      json: { type: 'boolean', doc: 'print what was found as JSON' },
      help: HELP,
    },
    examples: ['assay check', 'assay check tests/booking.test.yaml', 'assay check evals --json'],
    load: async () => (await import('./commands/check.ts')).check,
  },
  show: {
    summary: 'print the tests as Assay understands them',
    usage: 'assay show [PATHS...] [options]',
    options: {
      json: { type: 'boolean', doc: 'print the whole model as JSON' },
      'pass-with-no-tests': { type: 'boolean', doc: 'finding no suite is no error' },
      'trust-config': TRUST_CONFIG,
      help: HELP,
    },
    examples: ['assay show tests', 'assay show evals/support.eval.yaml --json'],
    load: async () => (await import('./commands/show.ts')).show,
  },
  view: {
    summary: 'look at runs in the browser, also while one is going on',
    usage: 'assay view [RUN] [options]',
    options: {
      port: { type: 'string', doc: 'the port (default 7357, or a free one when that is taken)' },
      host: { type: 'string', doc: 'the address to listen on (default 127.0.0.1); others need --token' },
      token: { type: 'string', doc: 'what the address holds to let you in (default: a random one)' },
      'no-open': NO_OPEN,
      'trust-config': TRUST_CONFIG,
      help: HELP,
    },
    examples: ['assay view', 'assay view latest', 'assay view 20261115T101416 --port 8080 --no-open'],
    load: async () => (await import('./commands/view.ts')).view,
  },
  grade: {
    summary: "evaluate today's assertions on the replies a run recorded; no agent is called",
    usage: 'assay grade [RUN] [options]',
    options: {
      reporter: REPORTER,
      'output-file': OUTPUT_FILE,
      config: CONFIG,
      'allow-scripts': ALLOW_SCRIPTS,
      'no-cache': NO_CACHE,
      help: HELP,
    },
    examples: ['assay grade', 'assay grade 20261115T101416 --reporter json'],
    load: async () => (await import('./commands/grade.ts')).grade,
  },
  compare: {
    summary: 'say what changed from one run to another, and what of it may be chance',
    usage: 'assay compare BEFORE [AFTER] [options]',
    options: {
      'fail-on': FAIL_ON,
      alpha: { type: 'string', doc: 'below which p-value a difference is more than chance (default 0.05)' },
      json: { type: 'boolean', doc: 'print the comparison as JSON' },
      markdown: { type: 'boolean', doc: 'print it as Markdown, for a comment on a pull request' },
      'trust-config': TRUST_CONFIG,
      help: HELP,
    },
    examples: [
      'assay compare 20261115T101416 latest',
      'assay compare assay-baseline.json',
      'assay compare main-run pr-run --fail-on significant --markdown',
    ],
    load: async () => (await import('./commands/compare.ts')).compare,
  },
  baseline: {
    summary: 'write what a run came to into a small file, to compare later runs with',
    usage: 'assay baseline update [RUN] [options]',
    options: {
      file: { type: 'string', doc: 'where to (default: assay-baseline.json in the project root)' },
      help: HELP,
    },
    examples: ['assay baseline update', 'assay baseline update 20261115T101416 --file evals/baseline.json'],
    load: async () => (await import('./commands/baseline.ts')).baseline,
  },
  merge: {
    summary: 'make one run of several, as of the shards of a CI matrix',
    usage: 'assay merge RUN... [options]',
    options: {
      'allow-missing': {
        type: 'boolean',
        doc: 'a shard that is not there is no error; its attempts count as not started',
      },
      baseline: {
        type: 'string',
        doc: 'compare the whole with this run or baseline file; a regression is exit code 1',
      },
      'fail-on': { ...FAIL_ON, doc: `with --baseline, ${FAIL_ON.doc}` },
      reporter: REPORTER,
      'output-file': OUTPUT_FILE,
      'trust-config': TRUST_CONFIG,
      help: HELP,
    },
    examples: [
      'assay merge shard-1 shard-2 shard-3',
      'assay merge shards/* --reporter junit=junit.xml',
      'assay merge shards/*/runs/* --allow-missing',
    ],
    load: async () => (await import('./commands/merge.ts')).merge,
  },
  worker: {
    summary: 'run tests for the runs on a queue, until stopped',
    usage: 'assay worker --queue URL [options]',
    options: {
      queue: {
        type: 'string',
        doc: 'redis://..., postgres://..., or a variable that holds it',
      },
      concurrency: { type: 'string', doc: 'how many tests at once (default: what the agent can do)' },
      agent: { type: 'string', doc: 'take part in runs for this agent only' },
      target: { type: 'string', doc: 'a target of the config' },
      config: CONFIG,
      'allow-scripts': ALLOW_SCRIPTS,
      'no-cache': NO_CACHE,
      'idle-exit': { type: 'string', doc: 'end after so long without work: 30s, 5m (default: never)' },
      'queue-wait': {
        type: 'string',
        doc: 'how long to wait while the queue does not answer (default 10m)',
      },
      help: HELP,
    },
    examples: [
      'assay worker --queue redis://localhost:6379 --concurrency 16',
      'assay worker --queue QUEUE_URL --agent "cmd: ./my-agent"',
    ],
    load: async () => (await import('./commands/worker.ts')).worker,
  },
  report: {
    summary: 'write reports of a recorded run',
    usage: 'assay report [RUN] [options]',
    options: {
      ...REPORT_FILES,
      reporter: REPORTER,
      'output-file': OUTPUT_FILE,
      'trust-config': TRUST_CONFIG,
      help: HELP,
    },
    examples: [
      'assay report',
      'assay report --junit junit.xml --markdown comment.md',
      'assay report 20261115T101416 --json - | jq .summary',
    ],
    load: async () => (await import('./commands/report.ts')).report,
  },
  'judge-check': {
    summary: 'compare a judge with people, on labelled examples',
    usage: 'assay judge-check FILE [options]',
    options: {
      judge: {
        type: 'string',
        doc: 'a target of the config, or provider:model (default: the judge of the config)',
      },
      config: CONFIG,
      prompt: { type: 'string', doc: 'a file with a prompt of your own' },
      samples: { type: 'string', doc: 'how often to ask about each example (default 1)' },
      threshold: { type: 'string', doc: 'from which score on something passes (default 0.8)' },
      workers: { type: 'string', doc: 'how many examples at once (default 8)' },
      'no-cache': { type: 'boolean', doc: 'ask again what was asked before' },
      json: { type: 'boolean', doc: 'print everything as JSON' },
      help: HELP,
    },
    examples: [
      'assay judge-check labelled.jsonl',
      'assay judge-check labelled.jsonl --judge openai:gpt-5-mini --samples 5',
    ],
    load: async () => (await import('./commands/judge-check.ts')).judgeCheck,
  },
  init: {
    summary: 'write a working example to begin with',
    usage: 'assay init [FOLDER] [options]',
    options: {
      language: { type: 'string', doc: 'typescript (default) or python' },
      help: HELP,
    },
    examples: ['assay init', 'assay init my-tests --language python'],
    load: async () => (await import('./commands/init.ts')).init,
  },
  schema: {
    summary: 'print the JSON Schema of a file format, for editors',
    usage: 'assay schema eval|dataset|steps',
    options: { help: HELP },
    examples: ['assay schema eval > eval.schema.json'],
    load: async () => (await import('./commands/schema.ts')).schema,
  },
};
