import type { Json, JsonObject } from '../../../base/model/json.ts';

/** Providers of promptfoo that a chat target can be. The rest of the id is the model. */
interface ModelProvider {
  readonly id: RegExp;
  readonly target: (model: string) => JsonObject;
}

const compatible =
  (base_url: string, key: string) =>
  (model: string): JsonObject => ({
    provider: 'openai-compatible',
    base_url,
    model,
    api_key: `\${{ ${key} }}`,
  });

const MODEL_PROVIDERS: readonly ModelProvider[] = [
  {
    id: /^openai:(?:chat:|responses:)?(?!(?:embedding|image|realtime|moderation|assistant|transcription|agents|codex|chatkit|video)\b)(.+)$/,
    target: (model) => ({ provider: 'openai', model }),
  },
  {
    id: /^anthropic:(?:messages:)?(?!completion:|claude-agent-sdk|claude-code)(.+)$/,
    target: (model) => ({ provider: 'anthropic', model }),
  },
  { id: /^(?:google|palm):(?!live:|image:|video:)(.+)$/, target: (model) => ({ provider: 'google', model }) },
  {
    id: /^azure(?:openai)?:(?:chat:)?(?!embedding|completion:|assistant|foundry)(.+)$/,
    target: (deployment) => ({ provider: 'azure', deployment }),
  },
  {
    id: /^ollama:(?:chat:|completion:)?(?!embedding)(.+)$/,
    target: (model) => ({
      provider: 'openai-compatible',
      base_url: 'http://localhost:11434/v1',
      model,
      api_key: 'none',
    }),
  },
  { id: /^openrouter:(.+)$/, target: compatible('https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY') },
  { id: /^groq:(?:responses:)?(.+)$/, target: compatible('https://api.groq.com/openai/v1', 'GROQ_API_KEY') },
  { id: /^deepseek:(.+)$/, target: compatible('https://api.deepseek.com', 'DEEPSEEK_API_KEY') },
  { id: /^mistral:(?!embedding)(.+)$/, target: compatible('https://api.mistral.ai/v1', 'MISTRAL_API_KEY') },
  {
    id: /^togetherai:(?:chat:)?(?!embedding)(.+)$/,
    target: compatible('https://api.together.xyz/v1', 'TOGETHER_API_KEY'),
  },
  { id: /^xai:(?!image|responses:)(.+)$/, target: compatible('https://api.x.ai/v1', 'XAI_API_KEY') },
];

/** The model that an id names, as a target without a name. */
export function modelOf(id: string): JsonObject | undefined {
  for (const { id: pattern, target } of MODEL_PROVIDERS) {
    const model = pattern.exec(id)?.[1];
    if (model !== undefined) return target(model);
  }
  return undefined;
}

/** Settings of a model that have a counterpart. */
export const MODEL_SETTINGS: Readonly<Record<string, string>> = {
  temperature: 'temperature',
  max_tokens: 'max_tokens',
  max_completion_tokens: 'max_tokens',
  max_output_tokens: 'max_tokens',
  maxOutputTokens: 'max_tokens',
  top_p: 'top_p',
  topP: 'top_p',
  seed: 'seed',
  headers: 'headers',
  apiVersion: 'api_version',
  instructions: 'system',
};

/** A text that is `{{env.KEY}}` or `${KEY}`, as `${{ KEY }}`; undefined for any other. */
export function environmentVariable(value: Json): string | undefined {
  if (typeof value !== 'string') return undefined;
  const name = /^\$\{(\w+)\}$/.exec(value)?.[1];
  if (name !== undefined) return `\${{ ${name} }}`;
  return /^\s*\{\{\s*env\.\w+\s*\}\}\s*$/.test(value) ? withEnvironment(value).trim() : undefined;
}

/** Each `{{env.KEY}}` in a text as `${{ KEY }}`. */
export function withEnvironment(text: string): string {
  return text.replaceAll(/\{\{\s*env\.(\w+)\s*\}\}/g, (_all, name: string) => `\${{ ${name} }}`);
}
