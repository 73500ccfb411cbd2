import { recognisesAdk } from './adk/recognise-adk.ts';
import { recognisesAgentSkills } from './agent-skills/recognise-agent-skills.ts';
import { recognisesOpenaiEvals } from './openai-evals/recognise-openai-evals.ts';
import type { ForeignFormat } from './contract.ts';

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
    load: async () => (await import('./openai-evals/convert-openai-evals.ts')).convertOpenaiEvals,
  },
];
