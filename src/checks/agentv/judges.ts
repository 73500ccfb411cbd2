import { isJsonObject, type JsonObject } from '../../base/model/json.ts';
import { byType } from '../../base/schema/by-type.ts';
import { duration } from '../../base/schema/duration.ts';
import { unsupportedFields } from '../../base/schema/foreign-fields.ts';
import { list } from '../../base/schema/list.ts';
import { complete, object } from '../../base/schema/object.ts';
import { jsonObject, number, text } from '../../base/schema/values.ts';
import { defineSpelling } from '../contract/evaluator-spelling.ts';
import { codeJudge, program } from '../evaluators/code-judge.ts';
import { llmJudge } from '../evaluators/llm-judge.ts';
import { rubric } from '../evaluators/rubric.ts';
import { OTHER_NAMES, VARIABLES } from '../judging/judge-texts.ts';
import { promptSchema } from '../judging/prompt-template.ts';
import { hasVariables } from '../judging/fill-template.ts';
import { promptFile } from '../judging/resolve-prompt.ts';
import { rubricsOrText } from '../judging/rubric-schema.ts';
import { scriptTarget } from '../script-access.ts';

const promptProgram = complete(
  object(
    {
      command: {
        schema: list(text(), { nonEmpty: true }),
        doc: 'A program that prints the prompt.',
        missing: 'missing_script',
        aliases: { script: list(text(), { nonEmpty: true }) },
      },
      config: { schema: jsonObject(), doc: 'Passed to the program.' },
    },
    { what: 'a prompt program' },
  ),
);

/** A file, with `file://` before it or as a path alone. Any other text without variables says what to judge. */
function isPromptFile(prompt: string): boolean {
  return promptFile(prompt) !== undefined && /^file:|^\S+\.\w{1,5}$/.test(prompt.trim());
}

/** `{{ input }}` and the like are the judge's own variables. They win over variables of the test with the same names. */
const ownPrompt = promptSchema({
  label: 'text, or `file://` and a path',
  own: [...VARIABLES, ...Object.keys(OTHER_NAMES)],
  isFile: isPromptFile,
});
const judgePrompt: typeof ownPrompt = {
  ...ownPrompt,
  read(value, reader) {
    const { vars } = reader;
    if (typeof value === 'string' && value.trim().startsWith('ref://'))
      reader.unsupported({
        message: `a prompt that is defined elsewhere (${value.trim()}) is not supported`,
        hint: 'write the prompt here, or `file://` and the path of a file with it',
      });
    reader.vars = vars && without(vars, Object.keys(OTHER_NAMES));
    const prompt = ownPrompt.read(value, reader);
    reader.vars = vars;
    return prompt;
  },
};

const judgeName = { schema: text({ nonEmpty: true }), doc: 'The judge to ask: a target of the config.' };

const judgeFields = {
  prompt: {
    schema: byType({ string: judgePrompt, object: promptProgram }),
    doc: 'The prompt, a file with it, or a program that prints it.',
    verbatim: 'all',
  },
  target: { ...judgeName, aliases: { provider: judgeName.schema } },
  samples: { schema: number({ min: 1, integer: true }), doc: 'How often to ask; the majority counts.' },
  ...unsupportedFields({
    model: 'name a target of the config under `target`',
    max_steps: 'a judge that works with tools is not supported',
    temperature: 'set it on the target of the judge, in the config',
    preprocessors: 'convert the files before the test',
    transform: 'the judge sees the answer as it is; use `code_judge` for a changed one',
  }),
} as const;

/** A model judges by a prompt, by rubrics, or by `criteria` of the test. */
export const llmGrader = defineSpelling({
  names: ['llm-grader'],
  doc: 'AgentV 4: `llm_judge`.',
  kind: llmJudge,
  unknown: 'config',
  fields: { ...judgeFields, rubrics: { schema: rubricsOrText, doc: 'What to judge, one by one.' } },
  translate: judgeParameters,
});

export const llmRubric = defineSpelling({
  names: ['llm-rubric'],
  doc: 'AgentV of July 2026: `llm_judge`, with its rubrics as `value`.',
  kind: llmJudge,
  unknown: 'config',
  fields: {
    ...judgeFields,
    value: { schema: rubricsOrText, doc: 'What must be true: a string, or rubrics.' },
  },
  translate: ({ value, ...read }) =>
    judgeParameters({ ...read, ...(value === undefined ? {} : { rubrics: value }) }),
});

export const rubrics = defineSpelling({
  names: ['rubrics'],
  doc: 'AgentV 4: `rubric`.',
  kind: rubric,
  fields: {
    criteria: {
      schema: rubricsOrText,
      doc: 'What to judge.',
      missing: 'missing_rubrics',
      aliases: { rubrics: rubricsOrText },
    },
    target: judgeName,
  },
  translate: ({ criteria, ...read }) => ({ ...read, rubrics: criteria! }),
});

export const codeGrader = defineSpelling({
  names: ['code-grader', 'script'],
  doc: 'AgentV: `code_judge`, with `command`.',
  kind: codeJudge,
  unknown: 'config',
  fields: {
    command: {
      schema: program,
      doc: 'The program and its arguments. A string runs with `sh -c`.',
      missing: 'missing_script',
      verbatim: 'all',
      aliases: { script: program },
    },
    cwd: { schema: text({ nonEmpty: true }), doc: "Its working folder. Default: the suite file's folder." },
    timeout_ms: { schema: duration({ min: 1 }), doc: 'How long it may take.' },
    target: {
      schema: scriptTarget,
      doc: 'Lets the program ask the judge: `{ max_calls: 10 }`, or `true`.',
      aliases: { provider: scriptTarget },
    },
    ...unsupportedFields({
      preprocessors: 'convert the files before the test',
      transform: 'let the program change the answer itself',
    }),
  },
  translate: ({ command, ...read }) => ({ ...withMergedConfig(read), script: command!, stdin: 'agentv' }),
});

function judgeParameters({ prompt, ...read }: JsonObject): JsonObject {
  const others = { ...withMergedConfig(read), ...('rubrics' in read ? { share: true } : {}) };
  if (typeof prompt === 'string' && !isPromptFile(prompt) && !hasVariables(prompt))
    return { ...others, expected_outcome: prompt.trim() };
  if (!isJsonObject(prompt) || !('command' in prompt))
    return prompt === undefined ? others : { ...others, prompt };
  const { command, ...config } = prompt;
  return { ...others, prompt: { ...config, script: command!, stdin: 'agentv' } };
}

function without(vars: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(vars).filter(([name]) => !names.includes(name)));
}

/** Unknown keys and `config` are one object; a key in `config` wins. */
function withMergedConfig({ config, ...read }: JsonObject): JsonObject {
  if (!isJsonObject(config)) return read;
  const { config: own = {}, ...others } = config;
  return { ...read, config: isJsonObject(own) ? { ...others, ...own } : config };
}
