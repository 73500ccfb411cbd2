import { readFileSync } from 'node:fs';
import type { ErrorKind } from '../../src/base/model/record.ts';

type Rows = Readonly<Record<string, string>>;

/** Every kind of error: the types fail when one is missing. */
const ERROR_KINDS: Readonly<Record<ErrorKind, string>> = {
  agent: 'The agent threw, crashed or exited.',
  contract: "The agent's reply is not valid.",
  timeout: 'The attempt took too long.',
  limit:
    'The agent printed too much, or used more than [a limit](../evidence.md#limits-of-an-attempt) allows.',
  infrastructure: 'The agent could not be reached. Assay [retries](../running.md#retries) these.',
  config: 'The target cannot be used.',
  judge: 'The judge gave no verdict.',
  assertion: 'An assertion could not be evaluated.',
  outdated:
    '[`assay grade`](../update-and-rescore.md#rescore-recorded-answers): the input changed after the replies were recorded.',
  cassette: 'A model call is not in the [cassette](../cassettes.md) of the test.',
  fault: 'A [fault](../faults.md) of the test did not happen.',
  workspace: 'The [workspace](../test-a-coding-agent.md) could not be prepared.',
  approval:
    'The agent asked for a [permission](../approvals.md) that no one answered, or that the test refuses.',
};

const EXIT_CODES: Rows = {
  0: 'Every test that ran passed, and all [gates](../repeats.md#verdicts-and-gates) passed.',
  1: 'A test failed or got worse than the [baseline](../comparing.md#baselines), or a gate failed.',
  2: 'Invalid usage, config or file; or no test ran (`--pass-with-no-tests` makes that 0).',
  3: 'Nothing failed, but something could not be measured or decided, or was not started.',
  130: 'Interrupted.',
};

/** The variables that Assay reads. test/docs/environment.test.ts looks for others in the source. */
export const VARIABLES: Rows = {
  ASSAY_AGENT:
    '`true` or `false`: whether output is [for a coding agent](../working-with-coding-agents.md). Default: Assay recognises the usual ones.',
  ASSAY_ISOLATE:
    '`false`: every function agent runs in the process of Assay, as with [`isolate: false`](../agents-function.md#run-the-agent-in-its-own-process).',
  ASSAY_PARENT: '`stdin`: Assay stops, as after Ctrl-C, when its stdin ends. For programs that start Assay.',
  ASSAY_PYTHON: 'The Python interpreter for [Python agents](../agents-python.md).',
  CI: 'Whether this is [CI](../ci.md#what-counts-as-ci). `0`, `false`, `no` and `off` mean no.',
  DISPLAY: 'Without it and `WAYLAND_DISPLAY`, `assay view` opens no browser on Linux.',
  FORCE_COLOR: 'Colours, even if the output is not a terminal. `0`: no colours.',
  GITHUB_ACTIONS: '`true`: annotate files, as the [`github` reporter](../reporters.md#github) does.',
  GITHUB_STEP_SUMMARY: 'The file that a Markdown summary is appended to.',
  GITHUB_WORKSPACE: 'File names in annotations are relative to it.',
  NODE_DISABLE_COMPILE_CACHE: '`1`: keep no compiled code outside the project.',
  NO_COLOR: 'Any value: no colours.',
  TERM: '`dumb`: no colours, and no lines that are rewritten.',
  OTEL_EXPORTER_OTLP_ENDPOINT:
    'The collector that telemetry of agents [is passed on to](../telemetry.md#when-it-is-complete), with `otel.forward`. Also the variables of one signal.',
  OTEL_EXPORTER_OTLP_HEADERS: 'Headers for that collector.',
  OTEL_EXPORTER_OTLP_PROTOCOL: 'Its protocol: telemetry cannot be passed on by `grpc`.',
  OTEL_SDK_DISABLED:
    '`true`: agents send no telemetry. Assay [undoes that](../telemetry.md#turn-it-on) where it reads it.',
  OTEL_TRACES_SAMPLER: 'Which traces agents send. Assay sets it to `always_on` where it reads them.',
  VIRTUAL_ENV: 'The Python environment whose interpreter runs Python agents.',
  XDG_CACHE_HOME: 'Where compiled code is kept with Node 20. Default: `~/.cache`.',
};

const REGIONS: Readonly<Record<string, () => string[]>> = {
  'exit-codes': () => table(['exit code', 'meaning'], EXIT_CODES),
  'error-kinds': () => table(['kind', 'meaning'], ERROR_KINDS),
  variables: () => table(['variable', 'meaning'], VARIABLES),
};

/** A page with its generated tables written again: what is between `<!-- generated: NAME -->` and `<!-- end -->`. */
export function withRegions(path: string): string {
  return readFileSync(path, 'utf8').replaceAll(
    /(<!-- generated: ([\w-]+) -->)[\s\S]*?(<!-- end -->)/g,
    (_all, open: string, name: string, close: string) => {
      const region = REGIONS[name];
      if (region === undefined) throw new Error(`${path}: there is no generated part "${name}"`);
      return [open, '', ...region(), '', close].join('\n');
    },
  );
}

function table(head: readonly string[], rows: Rows): string[] {
  return [
    `| ${head.join(' | ')} |`,
    '|---|---|',
    ...Object.entries(rows).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`),
  ];
}
