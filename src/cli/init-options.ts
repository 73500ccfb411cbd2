import { CI_SYSTEMS, KINDS, LANGUAGES } from './init/choices.ts';
import { FRAMEWORKS } from './init/framework-names.ts';
import { choice, flag, type OptionTable } from './option.ts';
import { HELP } from './shared-options.ts';

export const INIT_OPTIONS = {
  kind: choice('how Assay reaches the agent: function (default), program or server', KINDS, {
    placeholder: 'KIND',
  }),
  language: choice('the language of the example: typescript (default) or python', LANGUAGES),
  framework: choice(`an example for a framework: ${FRAMEWORKS.join(', ')}`, FRAMEWORKS),
  ci: choice('also write a pipeline: github, gitlab, azure, circleci or none (default)', CI_SYSTEMS),
  yes: flag('ask no questions; use the defaults', { short: 'y' }),
  skill: flag('only install the skill that teaches coding agents to write, run and read suites'),
  pytest: flag('only write the pytest plugin that runs the tests of suites'),
  ...HELP,
} satisfies OptionTable;
