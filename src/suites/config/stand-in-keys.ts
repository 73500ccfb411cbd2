import type { Environment } from '../../agents/llm/create-model.ts';

/** The variables in which SDKs look for a key. */
const KEYS = [
  'OPENAI_API_KEY',
  'ANTHROPIC_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'GOOGLE_API_KEY',
  'GEMINI_API_KEY',
  'AZURE_API_KEY',
  'AZURE_OPENAI_API_KEY',
  'OPENROUTER_API_KEY',
  'GROQ_API_KEY',
  'MISTRAL_API_KEY',
  'DEEPSEEK_API_KEY',
  'XAI_API_KEY',
];

const STAND_IN = 'assay-replays-and-needs-no-key';

const NAMED = /\$\{\{\s*([\w-]+)\s*\}\}/g;
const LOOKS_LIKE_KEY = /KEY|TOKEN|SECRET/i;

/** Values for keys that are not set: those that SDKs look for, and those that a config names. */
export function standInKeys(env: Environment, configText: string): Readonly<Record<string, string>> {
  const named = [...configText.matchAll(NAMED)].map(([, name = '']) => name);
  const wanted = [...KEYS, ...named.filter((name) => LOOKS_LIKE_KEY.test(name))];
  const unset = wanted.filter((name) => (env[name] ?? '') === '');
  return Object.fromEntries(unset.map((name) => [name, STAND_IN]));
}
