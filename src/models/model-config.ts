import type { JsonObject } from '../model/json.ts';
import { mapOf, object, type Field } from '../schema/object.ts';
import { boolean, jsonObject, number, oneOf, text } from '../schema/values.ts';
import type { Price } from './price-table.ts';

export const PROVIDERS = ['openai', 'anthropic', 'google', 'gemini', 'azure', 'openai-compatible'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** A model and how it is reached, as its author wrote it: texts may hold `${{ NAME }}`. */
export interface ModelConfig {
  readonly provider: Provider;
  readonly model: string;
  readonly api_key?: string | undefined;
  readonly base_url?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly api?: 'responses' | 'chat' | undefined;
  readonly resource_name?: string | undefined;
  readonly api_version?: string | undefined;
  readonly structured_outputs?: boolean | undefined;
  readonly temperature?: number | undefined;
  readonly top_p?: number | undefined;
  readonly max_tokens?: number | undefined;
  readonly seed?: number | undefined;
  readonly timeout_ms?: number | undefined;
  readonly provider_options?: JsonObject | undefined;
  readonly price?: Price | undefined;
}

const words = text({ nonEmpty: true });
const tokens = number({ min: 1, integer: true });
const dollars = number({ min: 0 });

const price = object(
  {
    input: { schema: dollars, doc: 'USD per million input tokens.', missing: 'missing_price' },
    output: { schema: dollars, doc: 'USD per million output tokens.', missing: 'missing_price' },
    cached: { schema: dollars, doc: 'USD per million input tokens read from a cache. Default: as `input`.' },
  },
  { what: 'a price' },
);

/** What a target or a judge says of its model: fields for the schema of either. */
export const MODEL_FIELDS = {
  provider: { schema: oneOf(PROVIDERS), doc: 'Who serves the model.', missing: 'missing_provider' },
  model: {
    schema: words,
    doc: "The model's name; for `azure` the deployment's.",
    missing: 'missing_model',
    aliases: { deployment: words },
  },
  api_key: {
    schema: words,
    doc: "The key, best as `${{ NAME }}`. Default: the provider's usual variable, such as OPENAI_API_KEY.",
  },
  base_url: {
    schema: words,
    doc: "Where the API is, with its version: `http://localhost:8000/v1`. Default: the provider's own.",
    aliases: { endpoint: words },
  },
  headers: { schema: mapOf(text()), doc: 'Headers of each request.' },
  api: {
    schema: oneOf(['responses', 'chat']),
    doc: 'For `openai` and `azure`: the Responses API (default) or Chat Completions.',
  },
  resource_name: { schema: words, doc: 'For `azure`: the name of the resource, instead of `base_url`.' },
  api_version: {
    schema: words,
    doc: 'For `azure`: a dated version uses the addresses of deployments.',
    aliases: { version: words },
  },
  structured_outputs: {
    schema: boolean(),
    doc: 'For `openai-compatible`: whether the server takes a JSON Schema. Default: true.',
  },
  temperature: { schema: number({ min: 0 }), doc: "Default: the provider's." },
  top_p: { schema: number({ min: 0, max: 1 }), doc: "Default: the provider's." },
  max_tokens: { schema: tokens, doc: 'The longest answer.', aliases: { max_output_tokens: tokens } },
  seed: { schema: number({ integer: true }), doc: 'For models that take one.' },
  timeout_ms: { schema: number({ min: 1 }), doc: 'How long one call may take.' },
  provider_options: {
    schema: jsonObject(),
    doc: 'Handed to the provider as they are: `{ openai: { reasoningEffort: low } }`.',
  },
  price: { schema: price, doc: 'What the model costs, when the built-in table does not know it.' },
} as const satisfies Readonly<Record<string, Field<unknown>>>;
