import { duration } from '../../base/schema/duration.ts';
import { mapOf, object, type Field, type FieldValue } from '../../base/schema/object.ts';
import { list } from '../../base/schema/list.ts';
import { boolean, jsonObject, number, oneOf, text } from '../../base/schema/values.ts';
import type { Price } from './price-table.ts';
import { providerSchema, type Provider } from './provider-names.ts';

const words = text({ nonEmpty: true });
const tokens = number({ min: 1, integer: true });
const dollars = number({ min: 0 });
const milliseconds = duration();
const retries = number({ min: 0, integer: true });
const factor = number({ min: 1 });
const statusCodes = list(number({ min: 100, max: 599, integer: true }), { label: 'list of status codes' });

export const priceSchema = object(
  {
    input: { schema: dollars, doc: 'USD per million input tokens.', missing: 'missing_price' },
    output: { schema: dollars, doc: 'USD per million output tokens.', missing: 'missing_price' },
    cached: { schema: dollars, doc: 'USD per million input tokens read from a cache. Default: as `input`.' },
  },
  { what: 'a price' },
);

/**
 * The fields of a target or a judge about its model, with all their names. `modelObject` turns them into a
 * ModelConfig.
 */
export const MODEL_FIELDS = {
  provider: { schema: providerSchema, doc: 'Who serves the model.', missing: 'missing_provider' },
  model: {
    schema: words,
    doc: "The model's name. Default: gemini-2.5-flash for `google`; others need it.",
  },
  deployment: {
    schema: words,
    doc: 'For `azure`: the name of the deployment. For others: the same as `model`.',
    aliases: { deploymentName: words },
  },
  variant: { schema: words, doc: 'The same as `model`; `model` and `deployment` come first.' },
  api_key: {
    schema: words,
    doc: "The key, best as `${{ NAME }}`. Default: the provider's usual variable, such as OPENAI_API_KEY.",
    aliases: { apiKey: words },
  },
  base_url: {
    schema: words,
    doc: "Where the API is, with its version: `http://localhost:8000/v1`. Default: the provider's own.",
  },
  endpoint: {
    schema: words,
    doc: 'For `azure`: the endpoint or the name of the resource; deployments are called there. For others: the same as `base_url`.',
    aliases: { resource: words, resourceName: words },
  },
  headers: { schema: mapOf(text()), doc: 'Headers of each request.' },
  api: {
    schema: oneOf(['responses', 'chat']),
    doc: 'For `openai` and `azure`: the Responses API (default) or Chat Completions (default with `endpoint`).',
  },
  resource_name: {
    schema: words,
    doc: 'For `azure`: the name of the resource, instead of `base_url`; its v1 API is called.',
  },
  api_version: {
    schema: words,
    doc: 'For `azure`: a dated version uses the addresses of deployments. Default with `endpoint`: 2024-12-01-preview.',
  },
  version: { schema: words, doc: 'The same as `api_version`, and comes before it.' },
  structured_outputs: {
    schema: boolean(),
    doc: 'For `openai-compatible`: whether the server accepts a JSON Schema. Default: true.',
  },
  temperature: { schema: number({ min: 0 }), doc: "Default: the provider's." },
  top_p: { schema: number({ min: 0, max: 1 }), doc: "Default: the provider's." },
  max_tokens: {
    schema: tokens,
    doc: 'The maximum number of tokens of an answer.',
    aliases: { max_output_tokens: tokens, maxTokens: tokens },
  },
  seed: { schema: number({ integer: true }), doc: 'For models that support it.' },
  thinking_budget: {
    schema: tokens,
    doc: 'For `anthropic`: how many tokens the model may use for thinking, before its answer.',
    aliases: { thinkingBudget: tokens },
  },
  max_retries: {
    schema: retries,
    doc: 'How often to retry after an infrastructure failure. Default: `--retry` for an agent, 3 for a judge.',
    aliases: { maxRetries: retries },
  },
  retry_initial_delay_ms: {
    schema: milliseconds,
    doc: 'How long to wait before the first retry. Default: 500.',
    aliases: { retryInitialDelayMs: milliseconds },
  },
  retry_max_delay_ms: {
    schema: milliseconds,
    doc: 'The longest wait between retries. Default: 30000.',
    aliases: { retryMaxDelayMs: milliseconds },
  },
  retry_backoff_factor: {
    schema: factor,
    doc: 'How much longer each wait is than the one before. Default: 2.',
    aliases: { retryBackoffFactor: factor },
  },
  retry_status_codes: {
    schema: statusCodes,
    doc: 'The HTTP status codes to retry. Default: 408, 429 and 500 to 599.',
    aliases: { retryStatusCodes: statusCodes },
  },
  timeout_ms: { schema: duration({ min: 1 }), doc: 'How long one call may take: `30s`, or milliseconds.' },
  provider_options: {
    schema: jsonObject(),
    doc: 'Passed to the provider unchanged: `{ openai: { reasoningEffort: low } }`.',
  },
  price: { schema: priceSchema, doc: 'What the model costs, when the built-in table does not know it.' },
} as const satisfies Readonly<Record<string, Field<unknown>>>;

type ModelFields = typeof MODEL_FIELDS;

/** A model and how it is reached, as its author wrote it: texts may hold `${{ NAME }}`. */
export type ModelConfig = {
  readonly [K in Exclude<keyof ModelFields, 'deployment' | 'price'>]?: FieldValue<ModelFields[K]> | undefined;
} & { readonly provider: Provider; readonly model: string; readonly price?: Price | undefined };
