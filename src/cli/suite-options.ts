import { FOREIGN_NAMES } from '../convert/foreign-names.ts';
import { choice, flag, text, type OptionTable } from './option.ts';
import { CONFIG, FILTERS, HELP, THRESHOLD, TRUST_CONFIG } from './shared-options.ts';

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
  json: flag('print the whole model as JSON'),
  'pass-with-no-tests': flag('succeed when no suite is found'),
  'trust-config': TRUST_CONFIG,
  ...HELP,
} satisfies OptionTable;

export const CONVERT_OPTIONS = {
  to: choice('the format to write: eval, dataset or steps', ['eval', 'dataset', 'steps']),
  output: text('the file to write; - or nothing for stdout', { placeholder: 'FILE', short: 'o' }),
  from: choice('what the file is, if it is not recognised', FOREIGN_NAMES),
  input: text('where the input is: a column, or a path such as inputs.question', { placeholder: 'PATH' }),
  expected: text('where the expected answer is', { placeholder: 'PATH' }),
  id: text('where the id is', { placeholder: 'PATH' }),
  class: text('the class of an OpenAI eval: Match, Includes, ...', { placeholder: 'NAME' }),
  'ignore-case': flag('the OpenAI eval ignores case'),
  registry: text('the file that registers an OpenAI eval', { placeholder: 'FILE' }),
  evaluator: choice('what compares answers if the file does not say: match (default) or llm_judge', [
    'match',
    'llm_judge',
  ]),
  'allow-loss': flag('what cannot be converted is a warning'),
  force: flag('overwrite files that exist'),
  'trust-config': TRUST_CONFIG,
  ...HELP,
} satisfies OptionTable;

export const CASSETTES_OPTIONS = {
  dir: text('the folder with the cassettes (default: that of the config, else cassettes)', {
    placeholder: 'DIR',
  }),
  'dry-run': flag('with prune: only say what would be removed'),
  config: CONFIG,
  'trust-config': TRUST_CONFIG,
  ...HELP,
} satisfies OptionTable;
