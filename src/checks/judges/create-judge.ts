import type { Redactor } from '../../base/match/redact-secrets.ts';
import type { Json } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import { callModel, type ModelResponse } from '../../agents/llm/call-model.ts';
import { createModel, type Environment, type Model } from '../../agents/llm/create-model.ts';
import { ModelError } from '../../agents/llm/model-error.ts';
import { retryRules } from '../../agents/llm/retry-rules.ts';
import type { RetryRules } from '../../base/system/retry.ts';
import { addAll, addUsage } from '../../base/model/usage.ts';
import type { JudgeRequest, JudgeSpending } from '../contract/judge.ts';
import { ANSWER_RETRIES, type Assessment, type Judge, type JudgeCallOptions } from './judge.ts';
import { JudgeCache } from './judge-cache.ts';
import type { JudgeConfig, ModelJudgeConfig } from './judge-config.ts';
import { JudgeError } from './judge-error.ts';
import { createMockJudge } from './mock-judge.ts';
import { readAnswer } from './read-answer.ts';
import { retryInfrastructure } from './retry-infrastructure.ts';

export interface JudgeOptions {
  readonly env: Environment;
  /** Where replies are cached (`.assay/cache/judge`); without it none is. */
  readonly cacheDirectory?: string | undefined;
  /** A reply that contains a secret is not cached. */
  readonly redactor?: Redactor | undefined;
  /** How often a call is retried after an infrastructure failure. Default: 3. */
  readonly retries?: number | undefined;
  /** The first wait between them; each is twice the previous one, with jitter. Default: 500. */
  readonly backoffMs?: number | undefined;
}

const DEFAULT_TIMEOUT_MS = 120_000;

/** A model as a judge. Throws a JudgeError for a config that cannot be used. */
export function createJudge(config: JudgeConfig, options: JudgeOptions): Judge {
  if (config.provider === 'mock') return createMockJudge(config);
  const model = loadModel(config, options.env);
  const cache =
    // By the model that is really called: its name may come from a variable.
    options.cacheDirectory === undefined
      ? undefined
      : new JudgeCache(options.cacheDirectory, { ...model.config, name: config.name });
  return {
    name: config.name,
    async assess(request, calling) {
      const kept = await cache?.read(request);
      if (kept !== undefined) return { ...kept, isCached: true };
      const assessment = await ask(model, { request, ...calling, options, name: config.name });
      const { answer } = assessment;
      const isSecret = options.redactor !== undefined && options.redactor.value(answer) !== answer;
      if (!isSecret) cache?.write(request, assessment);
      return assessment;
    },
    async ask({ system, prompt }, calling) {
      const response = await retryInfrastructure(
        () =>
          callModel(model, {
            system,
            messages: [{ role: 'user', content: prompt }],
            ...calling,
            timeoutMs: model.config.timeout_ms ?? DEFAULT_TIMEOUT_MS,
          }),
        { name: config.name, signal: calling.signal, rules: rulesOf(model, options) },
      );
      return { text: response.text, ...spendingOf([response]) };
    },
  };
}

function loadModel(config: ModelJudgeConfig, env: Environment): Model {
  try {
    return createModel(config, env);
  } catch (error) {
    if (error instanceof ModelError)
      throw new JudgeError(
        error.kind === 'unset' ? 'unset_variable' : 'judge_setup',
        `the judge "${config.name}" cannot be used: ${error.message}`,
      );
    throw error;
  }
}

interface Asking extends JudgeCallOptions {
  readonly name: string;
  readonly request: JudgeRequest;
  readonly options: JudgeOptions;
}

async function ask(model: Model, { name, request, signal, wrapFetch, options }: Asking): Promise<Assessment> {
  const responses: ModelResponse[] = [];
  let problem = '';
  for (let attempt = 0; attempt <= ANSWER_RETRIES; attempt++) {
    const response = await retryInfrastructure(() => call(model, { request, signal, wrapFetch, problem }), {
      name,
      signal,
      rules: rulesOf(model, options),
    });
    responses.push(response);
    const read = await readAnswer(response, request);
    if ('answer' in read) return toAssessment(read.answer, responses);
    problem = read.problem;
  }
  throw new JudgeError(
    'judge_answer',
    `the judge "${name}" replied ${responses.length} times without a usable verdict: ${problem}`,
    { spent: spendingOf(responses) },
  );
}

function rulesOf({ config }: Model, { retries, backoffMs }: JudgeOptions): RetryRules {
  const own = retryRules(config);
  return { ...own, most: own.most ?? retries, firstMs: own.firstMs ?? backoffMs };
}

function call(
  model: Model,
  {
    request,
    signal,
    wrapFetch,
    problem,
  }: Pick<Asking, 'request' | 'signal' | 'wrapFetch'> & { readonly problem: string },
) {
  const { config } = model;
  const again =
    problem === ''
      ? ''
      : `\n\nYour last answer could not be used: ${problem}. Answer with one JSON object of the form asked for, and nothing else.`;
  const form =
    config.provider === 'openai-compatible' && config.structured_outputs === false
      ? formInWords(request)
      : '';
  // One seed for all samples would make them one sample.
  const seeded =
    config.seed === undefined
      ? model
      : { ...model, config: { ...config, seed: config.seed + request.sample } };
  return callModel(seeded, {
    system: request.system + form,
    messages: [{ role: 'user', content: request.prompt + again }],
    schema: request.schema,
    signal,
    wrapFetch,
    timeoutMs: config.timeout_ms ?? DEFAULT_TIMEOUT_MS,
  });
}

/** For servers that do not support schemas. */
function formInWords({ schema }: JudgeRequest): string {
  return `\n\nAnswer with one JSON object, and nothing else, that fits this JSON Schema:\n${printJson(schema)}`;
}

function toAssessment(answer: Json, responses: readonly ModelResponse[]): Assessment {
  return { answer, model: responses.at(-1)!.model, ...spendingOf(responses), isCached: false };
}

function spendingOf(responses: readonly ModelResponse[]): JudgeSpending {
  return {
    token_usage: addUsage(responses.map(({ usage }) => usage)),
    cost_usd: addAll(responses.map(({ costUsd }) => costUsd)),
  };
}
