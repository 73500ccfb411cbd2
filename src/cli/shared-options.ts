import type { RegressionRule } from '../base/model/comparison.ts';
import { REPORTERS } from '../show/reporters/registry.ts';
import { choice, count, flag, list, text, value, type OptionTable } from './option.ts';

/** Every command has these. */
export const HELP = {
  'no-color': flag('print without colours'),
  help: flag('show this help', { short: 'h' }),
} satisfies OptionTable;

/** Placeholders of choices. */
export const MODE = { placeholder: 'MODE' };
export const FORMAT = { placeholder: 'FORMAT' };

export const CONFIG = text('use only this config file', { placeholder: 'FILE' });

export const TRUST_CONFIG = flag('also load a config in TypeScript or JavaScript, which executes it');

export const ALLOW_SCRIPTS = flag('let suites run programs, such as the scripts of code_judge');

export const NO_CACHE = flag('ask judges again instead of using cached answers');

export const NO_OPEN = flag('print the URL without opening a browser');

const RULES = [
  'regression',
  'significant',
  'new-failure',
  'any',
] as const satisfies readonly RegressionRule[];
const FAIL_ON_DOC = 'what is treated as a regression: regression (default), significant, new-failure, any';

export const FAIL_ON = choice(FAIL_ON_DOC, RULES, { placeholder: 'RULE' });

/** For commands with a baseline: the rule means nothing without one. */
export const COMPARED = {
  baseline: text('compare with this run or baseline file; a regression gives exit code 1', {
    placeholder: 'RUN|FILE',
  }),
  'fail-on': { ...FAIL_ON, doc: `with --baseline, ${FAIL_ON_DOC}` },
} satisfies OptionTable;

export const REPORTED = {
  reporter: list(`NAME or NAME=FILE, repeatable: ${Object.keys(REPORTERS).join(', ')} or ./my-reporter.ts`, {
    placeholder: 'NAME',
  }),
  'output-file': text('the file of the reporter that is given without one', { placeholder: 'FILE' }),
  verbose: flag('show every test and its conversation', { short: 'v' }),
  quiet: flag('show only failures and the summary', { short: 'q' }),
  durations: count('list the N slowest tests (0: all)', { min: 0 }),
} satisfies OptionTable;

export const THRESHOLD = value('the mean score that evaluators must reach (default 0.8)', {
  placeholder: 'SCORE',
  wanted: 'a number from 0 to 1',
  read: (given) => (Number(given) >= 0 && Number(given) <= 1 ? Number(given) : undefined),
});

export const AGENT = text('the agent: ./agent.ts, ./agent.py, "cmd: ./my-agent", https://...', {
  placeholder: 'AGENT',
});

export const TARGET = list('a target of the config (a,b for several; may be repeated)', {
  placeholder: 'NAME',
});

export const FILTERS = {
  grep: text('only tests whose id or description matches', { short: 't', placeholder: 'PATTERN' }),
  'grep-invert': text('only tests whose id and description do not match', { placeholder: 'PATTERN' }),
  tag: list('only tests with one of these tags (a,b; may be repeated)', { placeholder: 'TAG' }),
  'exclude-tag': list('only tests with none of these tags (a,b; may be repeated)', { placeholder: 'TAG' }),
} satisfies OptionTable;
