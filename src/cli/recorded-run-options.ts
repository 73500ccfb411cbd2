import { REPORTERS, type ReporterName } from '../show/reporters/registry.ts';
import { choice, count, flag, list, text, value, type OptionTable, type ValueOption } from './option.ts';
import { EXPORT_NAMES, RECORDING_NAMES } from '../base/model/recording-names.ts';
import {
  ALLOW_SCRIPTS,
  COMPARED,
  CONFIG,
  FAIL_ON,
  FORMAT,
  HELP,
  MODE,
  NO_CACHE,
  NO_OPEN,
  REPORTED,
  THRESHOLD,
  TRUST_CONFIG,
} from './shared-options.ts';

export const VIEW_OPTIONS = {
  port: value('the port (default 7357, or a free one if that is taken)', {
    placeholder: 'N',
    wanted: 'a number from 0 (any that is free) to 65535',
    read: (given) => (/^\d{1,5}$/.test(given) && Number(given) < 65_536 ? Number(given) : undefined),
  }),
  host: text('the address to listen on (default 127.0.0.1); any other address needs --token', {
    placeholder: 'ADDRESS',
  }),
  token: value('the token in the URL (default: a random one)', {
    placeholder: 'TEXT',
    wanted: '16 to 200 letters, digits and any of ._~-',
    isSecret: true,
    read: (given) => (/^[\w.~-]{16,200}$/.test(given) ? given : undefined),
  }),
  labels: flag("let people mark results as right or wrong, in the run's labels.jsonl"),
  'allow-run': flag('let the viewer run tests again, on this machine only'),
  'no-open': NO_OPEN,
  'trust-config': TRUST_CONFIG,
  ...HELP,
} satisfies OptionTable;

export const GRADE_OPTIONS = {
  suite: list('the tests to judge imported recordings with; repeatable', { placeholder: 'FILE' }),
  match: value('how a test finds its recordings: id, input or metadata.NAME (default: id, else input)', {
    placeholder: 'RULE',
    wanted: 'id, input, or metadata.NAME',
    read: (given) => (/^(id|input|metadata\..+)$/.test(given) ? given : undefined),
  }),
  ...REPORTED,
  config: CONFIG,
  cassettes: choice('answer judges from the cassettes of the run: replay, or off', ['replay', 'off'], MODE),
  prepared: text('grade this folder, which `assay prepare` wrote, instead of a run', { placeholder: 'DIR' }),
  test: text('with --prepared: the test that the folder belongs to, FILE::ID or FILE:LINE', {
    placeholder: 'TEST',
  }),
  answer: text('with --prepared: a file with the answer of the agent', { placeholder: 'FILE' }),
  'allow-scripts': ALLOW_SCRIPTS,
  'no-cache': NO_CACHE,
  ...HELP,
} satisfies OptionTable;

export const IMPORT_OPTIONS = {
  from: choice(
    `the format, if Assay does not recognise the files: ${RECORDING_NAMES.join(', ')}`,
    RECORDING_NAMES,
    FORMAT,
  ),
  name: text('a name for the run', { placeholder: 'TEXT' }),
  ...REPORTED,
  'trust-config': TRUST_CONFIG,
  ...HELP,
} satisfies OptionTable;

export const PROMOTE_OPTIONS = {
  failed: flag('only what did not pass, one test for each reason'),
  folder: text('the folder to write the tests to (default: promoted)', { placeholder: 'FOLDER' }),
  'trust-config': TRUST_CONFIG,
  ...HELP,
} satisfies OptionTable;

export const EXPORT_OPTIONS = {
  to: choice('the format: atif, otlp, inspect or jsonl', EXPORT_NAMES, FORMAT),
  output: text('the file to write (default: stdout)', { placeholder: 'FILE', short: 'o' }),
  'trust-config': TRUST_CONFIG,
  ...HELP,
} satisfies OptionTable;

export const COMPARE_OPTIONS = {
  targets: text('compare only target A; with A,B: A before and B after, which may be in one run', {
    placeholder: 'A[,B]',
  }),
  'fail-on': FAIL_ON,
  alpha: value('the p-value below which a difference is significant (default 0.05)', {
    placeholder: 'P',
    wanted: 'a number between 0 and 1',
    read: (given) => (Number(given) > 0 && Number(given) < 1 ? Number(given) : undefined),
  }),
  json: flag('print the comparison as JSON'),
  markdown: flag('print it as Markdown, for a comment on a pull request'),
  'trust-config': TRUST_CONFIG,
  ...HELP,
} satisfies OptionTable;

export const BASELINE_OPTIONS = {
  file: text('the file to write (default: assay-baseline.json in the project root)', { placeholder: 'FILE' }),
  ...HELP,
} satisfies OptionTable;

export const MERGE_OPTIONS = {
  'allow-missing': flag('accept missing shards; their attempts are treated as not started'),
  ...COMPARED,
  ...REPORTED,
  'trust-config': TRUST_CONFIG,
  ...HELP,
} satisfies OptionTable;

type ReportFile = Exclude<ReporterName, 'terminal' | 'agent' | 'list' | 'dot'>;

/** `--json FILE` and so on: the most common uses of `assay report`. */
export const REPORT_FILES = Object.keys(REPORTERS).filter(
  (name) => REPORTERS[name]!.isForPeople !== true,
) as ReportFile[];

const REPORT_FILE_OPTIONS = Object.fromEntries(
  REPORT_FILES.map((name) => [
    name,
    text(`write ${REPORTERS[name]!.doc}; - for stdout`, { placeholder: 'FILE' }),
  ]),
) as Readonly<Record<ReportFile, ValueOption<string>>>;

export const REPORT_OPTIONS = {
  ...REPORT_FILE_OPTIONS,
  ...REPORTED,
  'trust-config': TRUST_CONFIG,
  ...HELP,
} satisfies OptionTable;

export const JUDGE_CHECK_OPTIONS = {
  judge: text('a target of the config, or provider:model (default: the judge of the config)', {
    placeholder: 'NAME',
  }),
  config: CONFIG,
  prompt: text('a file with your own prompt', { placeholder: 'FILE' }),
  samples: count('how often to ask about each example (default 1)'),
  threshold: { ...THRESHOLD, doc: 'the lowest score that passes (default 0.8)' },
  workers: count('how many examples to judge at once (default 8)'),
  'no-cache': flag('ask again instead of using cached answers'),
  cassettes: choice(
    'keep the calls of the judge in files: record, replay, new (record what is missing) or off',
    ['record', 'replay', 'new', 'off'],
    MODE,
  ),
  json: flag('print everything as JSON'),
  ...HELP,
} satisfies OptionTable;
