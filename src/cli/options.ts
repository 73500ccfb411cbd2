import type { Command } from './command.ts';
import { SHELLS } from './completion/shell-names.ts';
import type { OptionTable } from './option.ts';
import { PRUNE_OPTIONS } from './prune-options.ts';
import { NOT_IN_WATCH_HELP, RUN_OPTIONS } from './run-options.ts';
import { HELP } from './shared-options.ts';
import {
  CASSETTES_OPTIONS,
  CHECK_OPTIONS,
  CONVERT_OPTIONS,
  PREPARE_OPTIONS,
  SHOW_OPTIONS,
  VALIDATE_OPTIONS,
} from './suite-options.ts';
import {
  BASELINE_OPTIONS,
  COMPARE_OPTIONS,
  EXPORT_OPTIONS,
  GRADE_OPTIONS,
  IMPORT_OPTIONS,
  JUDGE_CHECK_OPTIONS,
  MERGE_OPTIONS,
  PROMOTE_OPTIONS,
  REPORT_OPTIONS,
  VIEW_OPTIONS,
} from './recorded-run-options.ts';
import { LSP_OPTIONS, MCP_OPTIONS, WORKER_OPTIONS } from './server-options.ts';
import { INIT_OPTIONS } from './init-options.ts';

export interface CommandDefinition {
  readonly summary: string;
  readonly usage: string;
  readonly options: OptionTable;
  readonly examples: readonly string[];
  /** Words that the command takes instead of paths, for completion. */
  readonly words?: readonly string[];
  /** Options that the command knows only to say why it cannot take them: the help and the docs leave them out. */
  readonly refused?: readonly string[];
  /** Loaded on first use, so that no command waits for another's code. */
  readonly load: () => Promise<Command>;
}

/** Every command and every option: the parser, the help and the docs read this table. */
export const COMMANDS: Readonly<Record<string, CommandDefinition>> = {
  run: define({
    summary: 'run tests',
    usage: 'assay run [PATHS...] [options]',
    options: RUN_OPTIONS,
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
  }),
  watch: define({
    summary: 'rerun the tests that a change affects, as you work',
    usage: 'assay watch [PATHS...] [options]',
    options: RUN_OPTIONS,
    refused: NOT_IN_WATCH_HELP,
    examples: [
      'assay watch',
      'assay watch tests --agent ./agent.ts',
      'assay watch --target fast --ask-above 2',
    ],
    load: async () => (await import('./commands/watch.ts')).watch,
  }),
  validate: define({
    summary: 'find mistakes in suites, with locations and how to fix them',
    usage: 'assay validate [PATHS...] [options]',
    options: VALIDATE_OPTIONS,
    examples: [
      'assay validate',
      'assay validate tests/booking.test.yaml',
      'assay validate "evals/**/*.yaml" --strict',
    ],
    load: async () => (await import('./commands/validate.ts')).validate,
  }),
  check: define({
    summary:
      'test the suites themselves: find tests that cannot pass or fail, and assertions that check nothing',
    usage: 'assay check [PATHS...] [options]',
    options: CHECK_OPTIONS,
    examples: ['assay check', 'assay check tests/booking.test.yaml', 'assay check evals --json'],
    load: async () => (await import('./commands/check.ts')).check,
  }),
  show: define({
    summary: 'print the tests as Assay reads them',
    usage: 'assay show [PATHS...] [options]',
    options: SHOW_OPTIONS,
    examples: ['assay show tests', 'assay show evals/support.eval.yaml --json'],
    load: async () => (await import('./commands/show.ts')).show,
  }),
  view: define({
    summary: 'show runs in the browser, finished or still running',
    usage: 'assay view [RUN] [options]',
    options: VIEW_OPTIONS,
    examples: [
      'assay view',
      'assay view latest --labels',
      'assay view 20261115T101416 --port 8080 --no-open',
    ],
    load: async () => (await import('./commands/view.ts')).view,
  }),
  grade: define({
    summary: 'apply the current assertions to the recorded replies of a run, without calling an agent',
    usage: 'assay grade [RUN] [options]',
    options: GRADE_OPTIONS,
    examples: [
      'assay grade',
      'assay grade 20261115T101416 --reporter json',
      'assay grade --prepared work --test evals/shop.eval.yaml::cart',
    ],
    load: async () => (await import('./commands/grade.ts')).grade,
  }),
  import: define({
    summary: 'create a run from recordings of agents: sessions, logs, trajectories, traces',
    usage: 'assay import PATHS... [options]',
    options: IMPORT_OPTIONS,
    examples: [
      'assay import ~/.claude/projects/-home-ada-shop',
      'assay import results.json --from tau-bench',
      'assay import traces/*.json --reporter json',
    ],
    load: async () => (await import('./commands/import.ts')).importCommand,
  }),
  promote: define({
    summary: 'write tests from recorded attempts',
    usage: 'assay promote RUN [TEST] [options]',
    options: PROMOTE_OPTIONS,
    examples: ['assay promote latest booking', 'assay promote latest --failed --folder tests/regressions'],
    load: async () => (await import('./commands/promote.ts')).promote,
  }),
  export: define({
    summary: 'write a run in a format that other tools read',
    usage: 'assay export [RUN] --to atif|otlp|inspect|jsonl [options]',
    options: EXPORT_OPTIONS,
    examples: ['assay export latest --to otlp -o run.otlp.jsonl', 'assay export latest --to atif'],
    load: async () => (await import('./commands/export.ts')).exportCommand,
  }),
  compare: define({
    summary: 'show what changed between two runs, and whether it may be chance',
    usage: 'assay compare BEFORE [AFTER] [options]',
    options: COMPARE_OPTIONS,
    examples: [
      'assay compare 20261115T101416 latest',
      'assay compare assay-baseline.json',
      'assay compare main-run pr-run --fail-on significant --markdown',
    ],
    load: async () => (await import('./commands/compare.ts')).compare,
  }),
  baseline: define({
    summary: 'write the results of a run to a small file, to compare later runs with',
    words: ['update'],
    usage: 'assay baseline update [RUN] [options]',
    options: BASELINE_OPTIONS,
    examples: ['assay baseline update', 'assay baseline update 20261115T101416 --file evals/baseline.json'],
    load: async () => (await import('./commands/baseline.ts')).baseline,
  }),
  merge: define({
    summary: 'merge several runs into one, such as the shards of a CI matrix',
    usage: 'assay merge RUN... [options]',
    options: MERGE_OPTIONS,
    examples: [
      'assay merge shard-1 shard-2 shard-3',
      'assay merge shards/* --reporter junit=junit.xml',
      'assay merge shards/*/runs/* --allow-missing',
    ],
    load: async () => (await import('./commands/merge.ts')).merge,
  }),
  worker: define({
    summary: 'take tests from a queue and run them, until stopped',
    usage: 'assay worker --queue URL [options]',
    options: WORKER_OPTIONS,
    examples: [
      'assay worker --queue redis://localhost:6379 --concurrency 16',
      'assay worker --queue QUEUE_URL --agent "cmd: ./my-agent"',
    ],
    load: async () => (await import('./commands/worker.ts')).worker,
  }),
  report: define({
    summary: 'write reports of a recorded run',
    usage: 'assay report [RUN] [options]',
    options: REPORT_OPTIONS,
    examples: [
      'assay report',
      'assay report --junit junit.xml --markdown comment.md',
      'assay report 20261115T101416 --json - | jq .summary',
    ],
    load: async () => (await import('./commands/report.ts')).report,
  }),
  'judge-check': define({
    summary: 'compare the verdicts of a judge with those of people, on labelled examples or a labelled run',
    usage: 'assay judge-check FILE|RUN [options]',
    options: JUDGE_CHECK_OPTIONS,
    examples: [
      'assay judge-check labelled.jsonl',
      'assay judge-check labelled.jsonl --judge openai:gpt-5-mini --samples 5',
      'assay judge-check latest',
    ],
    load: async () => (await import('./commands/judge-check.ts')).judgeCheck,
  }),
  prepare: define({
    summary: 'write the workspace of a test to a folder, for a person or another harness',
    usage: 'assay prepare TEST DIR [options]',
    options: PREPARE_OPTIONS,
    examples: ['assay prepare evals/shop.eval.yaml::cart work', 'assay prepare evals/shop.eval.yaml:12 work'],
    load: async () => (await import('./commands/prepare.ts')).prepare,
  }),
  convert: define({
    summary: "convert a suite to another format, or another tool's tests to a suite",
    usage: 'assay convert FILE --to eval|dataset|steps [options]',
    options: CONVERT_OPTIONS,
    examples: [
      'assay convert booking.test.yaml --to eval -o booking.eval.yaml',
      'assay convert evals/evals.json --to eval -o evals/skill.eval.yaml',
      'assay convert qa.csv --to dataset --input question --expected answer -o qa.jsonl',
    ],
    load: async () => (await import('./commands/convert.ts')).convert,
  }),
  cassettes: define({
    summary: 'list recorded model calls, show one, or remove those that no test uses',
    words: ['list', 'show', 'prune'],
    usage: 'assay cassettes [list | prune | show FILE] [options]',
    options: CASSETTES_OPTIONS,
    examples: [
      'assay cassettes',
      'assay cassettes show cassettes/weather.eval.yaml/paris@default.json',
      'assay cassettes prune --dry-run',
    ],
    load: async () => (await import('./commands/cassettes.ts')).cassettes,
  }),
  init: define({
    summary: 'write a working example to start with',
    usage: 'assay init [FOLDER] [options]',
    options: INIT_OPTIONS,
    examples: [
      'assay init',
      'assay init my-tests --language python --ci github',
      'assay init --kind server --yes',
      'assay init --framework ai-sdk',
      'assay init --skill --pytest',
    ],
    load: async () => (await import('./commands/init.ts')).init,
  }),
  mcp: define({
    summary: 'start an MCP server, with which coding agents find, run and read tests',
    usage: 'assay mcp [options]',
    options: MCP_OPTIONS,
    examples: ['assay mcp'],
    load: async () => (await import('./commands/mcp.ts')).mcp,
  }),
  lsp: define({
    summary: 'start a language server, which shows problems, completions and results in editors',
    usage: 'assay lsp [--stdio]',
    options: LSP_OPTIONS,
    examples: ['assay lsp --stdio'],
    load: async () => (await import('./commands/lsp.ts')).lsp,
  }),
  schema: define({
    summary: 'print the JSON Schema of a file format, for editors',
    usage: 'assay schema eval|dataset|sidecar|steps|config',
    options: HELP,
    words: ['eval', 'dataset', 'sidecar', 'steps', 'config'],
    examples: ['assay schema eval > eval.schema.json'],
    load: async () => (await import('./commands/schema.ts')).schema,
  }),
  prune: define({
    summary: 'remove old runs',
    usage: 'assay prune [--keep N] [--older-than AGE] [options]',
    options: PRUNE_OPTIONS,
    examples: ['assay prune --keep 20', 'assay prune --older-than 30d --dry-run'],
    load: async () => (await import('./commands/prune.ts')).prune,
  }),
  completion: define({
    summary: 'print a script that completes commands and options in your shell',
    usage: 'assay completion bash|zsh|fish',
    options: HELP,
    words: SHELLS,
    examples: [
      'source <(assay completion bash)',
      'source <(assay completion zsh)',
      'assay completion fish | source',
    ],
    load: async () => (await import('./commands/completion.ts')).completion,
  }),
};

/** The table contains commands of all kinds: the type of each is checked here, and then dropped. */
function define<Table extends OptionTable>(
  definition: Omit<CommandDefinition, 'options' | 'load'> & {
    readonly options: Table;
    readonly load: () => Promise<Command<Table>>;
  },
): CommandDefinition {
  return definition as unknown as CommandDefinition;
}
