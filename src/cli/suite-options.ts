import { FOREIGN_NAMES } from '../suites/convert/foreign-names.ts';
import { choice, flag, text, type OptionTable } from './option.ts';
import { ALLOW_SCRIPTS, CONFIG, FILTERS, FORMAT, HELP, THRESHOLD, TRUST_CONFIG } from './shared-options.ts';

export const VALIDATE_OPTIONS = {
  json: flag('print the findings as JSON'),
  strict: flag('treat warnings as errors'),
  'pass-with-no-tests': flag('succeed when no suite is found'),
  'trust-config': TRUST_CONFIG,
  ...HELP,
} satisfies OptionTable;

export const CHECK_OPTIONS = {
  ...FILTERS,
  threshold: THRESHOLD,
  config: CONFIG,
  'trust-config': TRUST_CONFIG,
  'allow-unchecked': flag('exit with 0 even if some tests could not be checked'),
  strict: flag('treat warnings about files as errors'),
  json: flag('print the findings as JSON'),
  ...HELP,
} satisfies OptionTable;

export const SHOW_OPTIONS = {
  json: flag('print every field of the tests, as JSON'),
  'pass-with-no-tests': flag('succeed when no suite is found'),
  'trust-config': TRUST_CONFIG,
  ...HELP,
} satisfies OptionTable;

export const PREPARE_OPTIONS = {
  config: CONFIG,
  'allow-scripts': ALLOW_SCRIPTS,
  ...HELP,
} satisfies OptionTable;

export const CONVERT_OPTIONS = {
  to: choice('the format to write: eval (default), dataset or steps', ['eval', 'dataset', 'steps'], FORMAT),
  output: text('the file to write (default: stdout)', { placeholder: 'FILE', short: 'o' }),
  from: choice(
    `the tool that the file is from, if Assay does not recognise it: ${FOREIGN_NAMES.join(', ')}`,
    FOREIGN_NAMES,
    { placeholder: 'TOOL' },
  ),
  input: text('where the input is: a column, or a path such as inputs.question', { placeholder: 'PATH' }),
  expected: text('where the expected answer is', { placeholder: 'PATH' }),
  id: text('where the id is', { placeholder: 'PATH' }),
  class: text('the class of an OpenAI eval: Match, Includes, ...', { placeholder: 'NAME' }),
  'ignore-case': flag('for an OpenAI eval: ignore case'),
  registry: text('the registry file of an OpenAI eval', { placeholder: 'FILE' }),
  evaluator: choice('how to compare answers if the file does not say: match (default) or llm_judge', [
    'match',
    'llm_judge',
  ]),
  'allow-loss': flag('write the rest if something cannot be converted, with warnings'),
  force: flag('overwrite files that exist'),
  'trust-config': TRUST_CONFIG,
  ...HELP,
} satisfies OptionTable;

export const CASSETTES_OPTIONS = {
  dir: text("the folder with the cassettes (default: the config's, else cassettes)", {
    placeholder: 'DIR',
  }),
  'dry-run': flag('with prune: only show what would be removed'),
  config: CONFIG,
  'trust-config': TRUST_CONFIG,
  ...HELP,
} satisfies OptionTable;
