import { observeSettings } from '../../base/schema/observe-schema.ts';
import { agentField } from '../../agents/kinds/agent-target.ts';
import { ignoresEverything } from '../../base/match/clean-text.ts';
import { compile } from '../../base/match/python-re/index.ts';
import { judgeSchema } from '../../checks/judges/judge-config.ts';
import { priceSchema } from '../../agents/llm/model-config.ts';
import { EDITORS, editorTemplate } from '../../base/model/editor.ts';
import { MOST_REPEATS } from '../../base/model/gate.ts';
import type { Json } from '../../base/model/json.ts';
import { byType } from '../../base/schema/by-type.ts';
import { parseDuration } from '../../base/schema/parse-duration.ts';
import { list } from '../../base/schema/list.ts';
import { mapOf, object } from '../../base/schema/object.ts';
import type { Reader } from '../../base/schema/reader.ts';
import { refine } from '../../base/schema/refine.ts';
import { anyJson, boolean, number, oneOf, quoteText, text } from '../../base/schema/values.ts';

const timeout = refine(
  byType({ number: number({ min: 0.001 }), string: text({ nonEmpty: true }) }),
  (value: Json, reader: Reader) => {
    if (parseDuration(String(value)) === undefined)
      reader.error({
        code: 'duration',
        message: `\`timeout\` must be a time, but is ${quoteText(String(value))}`,
        hint: 'write 90s, 2m or 500ms; a number without a unit is seconds',
      });
  },
);

const scripts = object(
  {
    allow: { schema: boolean(), doc: 'Programs that suites name may run. Default: false.' },
    env: {
      schema: list(text({ nonEmpty: true })),
      doc: 'Variables they get besides PATH, HOME, LANG, TZ and TMPDIR.',
    },
  },
  { what: '`scripts`' },
);

const share = number({ min: 0, max: 1 });

const gates = object(
  {
    min_pass_rate: { schema: share, doc: 'The share of measured attempts that must pass.' },
    max_flaky: {
      schema: number({ min: 0 }),
      doc: 'How many tests may be flaky; below 1, the share of repeated tests.',
    },
    min_coverage: {
      schema: share,
      doc: 'The share of planned attempts that must be measured for a gate to be decided. Default: 0.9.',
    },
  },
  { what: '`gates`' },
);

const cassettes = object(
  {
    mode: {
      schema: oneOf(['record', 'replay', 'new', 'off']),
      doc: 'What `--cassettes` is by default. Default: `off`.',
    },
    dir: {
      schema: text({ nonEmpty: true }),
      doc: 'The folder with the cassettes, relative to the config. Default: `cassettes`.',
    },
    ignore: {
      schema: refine(list(refine(text({ nonEmpty: true }), checkPattern)), refuseIgnoringAll),
      doc: 'Python patterns: text of requests that changes from run to run, such as a date.',
    },
    passthrough: {
      schema: list(text({ nonEmpty: true })),
      doc: 'Hosts that agents may reach while cassettes are replayed.',
    },
  },
  { what: '`cassettes`' },
);

const milliseconds = number({ min: 0, max: 600_000 });

const otel = object(
  {
    forward: {
      schema: boolean(),
      doc: 'Pass all telemetry on to the collector that `OTEL_EXPORTER_OTLP_ENDPOINT` names. Default: false.',
    },
    quiet_ms: {
      schema: milliseconds,
      doc: 'A trace is complete when its root has ended and nothing came for so long. Default: 3000.',
    },
    wait_ms: { schema: milliseconds, doc: 'The longest wait for the telemetry of one step. Default: 30000.' },
    port: {
      schema: number({ min: 1, max: 65_535, integer: true }),
      doc: 'Where servers that Assay does not start send their telemetry. Default: 4318.',
    },
  },
  { what: '`otel`' },
);

const mcp = object(
  {
    paths: {
      schema: list(text({ nonEmpty: true }), { label: 'list of paths' }),
      doc: 'What coding agents may run: suite files, folders and globs, relative to the project root.',
    },
    targets: {
      schema: list(text({ nonEmpty: true })),
      doc: 'The targets they may run it with; the first is the default.',
    },
    max_cost: {
      schema: number({ min: 0 }),
      doc: 'Start no more attempts after one of their runs has cost this much, in USD.',
    },
  },
  { what: '`mcp`' },
);

function checkPattern(pattern: Json, reader: Reader): void {
  try {
    compile(String(pattern));
  } catch (error) {
    reader.error({ code: 'pattern', message: `not a Python pattern: ${(error as Error).message}` });
  }
}

/** Every request would be the same, and be answered with any recording. */
function refuseIgnoringAll(patterns: Json, reader: Reader): void {
  const all = Array.isArray(patterns) ? (patterns as readonly Json[]).map(String) : [];
  try {
    if (!ignoresEverything(all)) return;
  } catch {
    // What is wrong with a pattern is reported already.
    return;
  }
  reader.error({
    code: 'ignores_everything',
    message: '`cassettes.ignore` matches all text of a request, so that every request would be the same',
    hint: 'match only what changes from run to run, such as a date: \\d{4}-\\d\\d-\\d\\d',
  });
}

function textOrTexts(label: string) {
  return byType({
    string: text({ nonEmpty: true }),
    array: list(text({ nonEmpty: true }), { label }),
  });
}

function checkEditor(editor: Json, reader: Reader): void {
  if (editor === 'off' || editorTemplate(String(editor)) !== undefined) return;
  reader.error({
    code: 'value',
    message: `"${String(editor)}" is not an editor that Assay knows, and not an address with {path}`,
    hint: `use ${[...Object.keys(EDITORS), 'off'].join(', ')}, or an address such as ${EDITORS['vscode']}`,
  });
}

/** The config. Its targets are checked one by one, when they are used or validated. */
export const configSchema = object(
  {
    agent: { schema: agentField, doc: 'The agent to test: short for a target named `default`.' },
    targets: {
      schema: list(anyJson('target'), { label: 'list of targets' }),
      doc: 'Agents that suites can name.',
    },
    judge: { schema: judgeSchema, doc: 'The judge: the name of a target, or a model.' },
    workers: { schema: number({ min: 1, integer: true }), doc: 'How many tests run at once.' },
    timeout: { schema: timeout, doc: 'How long one attempt may take: seconds, or `500ms`, `90s`, `2m`.' },
    threshold: {
      schema: number({ min: 0, max: 1 }),
      doc: 'The mean score that evaluators must reach. Default: 0.8.',
    },
    repeats: {
      schema: byType({ number: number({ min: 1, integer: true }), string: oneOf(['auto']) }),
      doc: 'How often a test runs if it does not set a number; `auto`: until its gate is decided.',
    },
    confidence: {
      schema: number({ min: 0.5, max: 0.9999 }),
      doc: 'For `repeats: auto`: how sure a decision must be. Default: 0.95.',
    },
    max_repeats: {
      schema: number({ min: 1, max: MOST_REPEATS, integer: true }),
      doc: 'For `repeats: auto`: how often a test runs at most. Default: 50.',
    },
    max_cost: {
      schema: number({ min: 0 }),
      doc: 'Start no more attempts after a run has cost this much, in USD.',
    },
    gates: { schema: gates, doc: 'The conditions a run must meet.' },
    include: {
      schema: textOrTexts('list of paths'),
      doc: 'Paths or globs to run when the command names none, relative to the config.',
    },
    reporter: {
      schema: textOrTexts('list of reporters'),
      doc: 'What `--reporter` is by default: `NAME`, `NAME=FILE`, or a list of them.',
    },
    retry: {
      schema: number({ min: 0, integer: true }),
      doc: 'How often an attempt is retried after an infrastructure failure. Default: that of its target, else 2.',
    },
    strict: {
      schema: boolean(),
      doc: 'Warnings about files, replies and evidence are errors. Default: false.',
    },
    evaluators: {
      schema: textOrTexts('list of files'),
      doc: 'Files with your own evaluators (`.ts`, `.js`, `.py`): suites refer to them by name.',
    },
    scripts: { schema: scripts, doc: 'Programs that suites name.' },
    prices: {
      schema: mapOf(priceSchema),
      doc: 'What models cost, by their names, when the built-in table does not know them.',
    },
    observe: {
      schema: observeSettings,
      doc: 'What is known of the work of all agents that Assay sees but cannot read.',
    },
    otel: { schema: otel, doc: 'How the telemetry of agents is read, where `observe` is `otel`.' },
    cassettes: { schema: cassettes, doc: 'Model calls that are recorded and replayed.' },
    mcp: { schema: mcp, doc: 'What coding agents may do through `assay mcp`.' },
    editor: {
      schema: refine(text({ nonEmpty: true }), checkEditor),
      doc: 'What the results viewer opens files with: `vscode`, `cursor`, `zed`, `idea`, `off`, or an address with `{path}`, `{line}` and `{column}`. Default: `vscode`.',
    },
    secrets: {
      schema: list(text({ nonEmpty: true })),
      doc: 'Variables whose values are never shown or written, besides those named like keys, tokens and passwords.',
    },
    $schema: { schema: text(), doc: 'The JSON Schema of this file, for editors.' },
  },
  { what: 'the config' },
);
