import { recognisesAdk } from './adk/recognise-adk.ts';
import { recognisesAgentSkills } from './agent-skills/recognise-agent-skills.ts';
import { recognisesOpenaiEvals } from './openai-evals/recognise-openai-evals.ts';
import { recognisesLangsmith } from './langsmith/recognise-langsmith.ts';
import { recognisesDeepeval } from './deepeval/recognise-deepeval.ts';
import { recognisesInspect } from './inspect/recognise-inspect.ts';
import { recognisesPromptfoo } from './promptfoo/recognise-promptfoo.ts';
import { parseCsv } from '../formats/csv/csv-reader.ts';
import type { ForeignFormat } from './contract.ts';
import { inputOption } from './csv/input-column.ts';

/** The formats of other tools, in the order in which they are tried. */
export const FOREIGN_FORMATS: readonly ForeignFormat[] = [
  {
    name: 'adk',
    title: 'an eval file of ADK',
    recognises: recognisesAdk,
    load: async () => (await import('./adk/convert-adk.ts')).convertAdk,
  },
  {
    name: 'agent-skills',
    title: "an agent skill's evals.json",
    recognises: recognisesAgentSkills,
    load: async () => (await import('./agent-skills/convert-agent-skills.ts')).convertAgentSkills,
  },
  {
    name: 'openai-evals',
    title: "a file of OpenAI's evals",
    recognises: recognisesOpenaiEvals,
    // Samples do not say how they are compared; this is what most evals do.
    hintOptions: ({ path }) => (/\.jsonl$/i.test(path) ? ' --class Match' : ''),
    load: async () => (await import('./openai-evals/convert-openai-evals.ts')).convertOpenaiEvals,
  },
  {
    name: 'langsmith',
    title: 'a dataset of LangSmith',
    recognises: recognisesLangsmith,
    load: async () => (await import('./langsmith/convert-langsmith.ts')).convertLangsmith,
  },
  {
    name: 'deepeval',
    title: 'a file of DeepEval goldens',
    recognises: recognisesDeepeval,
    load: async () => (await import('./deepeval/convert-deepeval.ts')).convertDeepeval,
  },
  {
    name: 'inspect',
    title: 'samples of Inspect',
    recognises: recognisesInspect,
    load: async () => (await import('./inspect/convert-inspect.ts')).convertInspect,
  },
  {
    name: 'promptfoo',
    title: 'a promptfoo config',
    recognises: recognisesPromptfoo,
    load: async () => (await import('./promptfoo/convert-promptfoo.ts')).convertPromptfoo,
  },
  {
    name: 'csv',
    title: 'a CSV file',
    recognises: ({ path }) => /\.csv$/i.test(path),
    hintOptions: ({ path, text }) => inputOption(parseCsv(path, text.slice(0, 10_000)).header),
    load: async () => (await import('./csv/convert-csv.ts')).convertCsv,
  },
];
