import { FRAMEWORKS } from './init/framework-names.ts';
import { choice, flag, type OptionTable } from './option.ts';
import { HELP } from './shared-options.ts';

export const INIT_OPTIONS = {
  language: choice('typescript (default) or python', ['typescript', 'python']),
  framework: choice(`an example for a framework: ${FRAMEWORKS.join(', ')}`, FRAMEWORKS),
  skill: flag('only install the skill that tells coding agents how to write, run and read suites'),
  pytest: flag('only write the plugin that makes the tests of suites tests of pytest'),
  ...HELP,
} satisfies OptionTable;
