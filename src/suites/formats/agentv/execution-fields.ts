import { foreignFields, runSettings, unsupportedFields } from '../../../base/schema/foreign-fields.ts';
import { object } from '../../../base/schema/object.ts';
import { boolean, number, text } from '../../../base/schema/values.ts';
import { repeatCount } from './repeats.ts';
import { targetList } from '../targets-field.ts';

const RUN_SETTINGS = runSettings({
  budget_usd: 'limit the cost of the run with `--max-cost`',
  max_concurrency: 'use `--workers`',
  workers: 'use `--workers`',
  cache: 'answers of judges are cached; `--no-cache` turns it off',
  fail_on_error: 'an error always fails the run',
  timeout_seconds: 'use `--timeout`',
});

const threshold = { schema: number({ min: 0, max: 1 }), doc: 'AgentV: the same as `threshold` of the case.' };

const repeat = { schema: repeatCount, doc: 'AgentV: how often to run it; one passed attempt is enough.' };

/** What newer AgentV files add to `execution`. */
export const EXECUTION_FIELDS = foreignFields({
  targets: { schema: targetList, doc: 'AgentV: the same as `targets` next to `execution`.' },
  trials: repeat,
  threshold,
  skip_defaults: {
    schema: boolean(),
    doc: "AgentV: leave out the file's `assert`, `input` and `input_files`.",
  },
  ...RUN_SETTINGS,
  ...unsupportedFields({ workspace: 'prepare a folder yourself, and give it to the target as `cwd`' }),
} as const);

export const evaluateOptions = object({ repeat, ...RUN_SETTINGS }, { what: '`evaluate_options`' });

export const runOverrides = object({ repeat, threshold, ...RUN_SETTINGS }, { what: '`run`' });

export const caseOptions = object(
  {
    repeat,
    rubric_prompt: {
      schema: text({ nonEmpty: true, label: 'text, or `file://` and a path' }),
      doc: 'AgentV: the prompt of its rubrics, and of its judges without a prompt.',
    },
    ...unsupportedFields({
      transform: 'the answer is judged as it is; use `code_judge` for a changed one',
      provider: 'name the judge on each evaluator: `target`',
    }),
  },
  { what: '`options`' },
);
