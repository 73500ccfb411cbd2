import { isJsonObject, ownValue, type Json } from '../model/json.ts';
import { MODEL_FIELDS, PROVIDERS } from '../models/model-config.ts';
import { didYouMean } from '../schema/did-you-mean.ts';
import { object } from '../schema/object.ts';
import { NOWHERE, Reader } from '../schema/reader.ts';
import { text } from '../schema/values.ts';
import type { JudgeConfig } from './judge-config.ts';
import { JudgeError } from './judge-error.ts';

/** Where judges are named in a config. Targets are as their author wrote them. */
export interface JudgeSources {
  readonly judge?: string | (Omit<JudgeConfig, 'name'> & { readonly name?: string | undefined }) | undefined;
  readonly targets?: readonly { readonly name: string; readonly provider?: string | undefined }[] | undefined;
}

export interface JudgeChoice {
  /** The `target` of an evaluator. */
  readonly wanted?: string | undefined;
  /** The `judge_target` of the target under test. */
  readonly judgeTarget?: string | undefined;
}

/** The judge an evaluator asks: the one it names, else the config's, else its target's. Never the agent under test by default. */
export function resolveJudge(
  { judge, targets = [] }: JudgeSources,
  { wanted, judgeTarget }: JudgeChoice,
): JudgeConfig {
  const chosen = wanted ?? judge ?? judgeTarget;
  if (chosen === undefined) throw new JudgeError('no_judge', `no judge is configured: ${HOW_TO}`);
  if (typeof chosen !== 'string') return { ...chosen, name: chosen.name ?? DEFAULT_NAME } as JudgeConfig;
  if (typeof judge === 'object' && (judge.name ?? DEFAULT_NAME) === chosen)
    return { ...judge, name: chosen } as JudgeConfig;
  const target = (targets as unknown as readonly Json[]).find(
    (each) => isJsonObject(each) && ownValue(each, 'name') === chosen,
  );
  if (target !== undefined) return readTarget(target, chosen);
  const names = targets.map(({ name }) => name);
  const hint = didYouMean(chosen, names) ?? `the targets are ${names.join(', ')}`;
  throw new JudgeError('judge_setup', `there is no judge "${chosen}": ${names.length === 0 ? HOW_TO : hint}`);
}

const DEFAULT_NAME = 'judge';

const HOW_TO =
  'set `judge: { provider: openai, model: ... }` in assay.config.yaml, or use evaluators that need none, such as contains, regex, match or tool_trajectory';

/** A chat target may say more than a judge needs. */
const modelTarget = object(
  { name: { schema: text({ nonEmpty: true }), doc: 'Its name.' }, ...MODEL_FIELDS },
  { what: 'a judge', unknown: 'warning' },
);

function readTarget(target: Json, name: string): JudgeConfig {
  const provider = isJsonObject(target) ? ownValue(target, 'provider') : undefined;
  if (provider === 'mock') return target as unknown as JudgeConfig;
  if (!PROVIDERS.some((known) => known === provider)) {
    throw new JudgeError(
      'judge_setup',
      `the target "${name}" cannot judge: a judge is a model, with \`provider\` and \`model\``,
    );
  }
  const reader = new Reader(NOWHERE);
  const config = modelTarget.read(target, reader);
  const problem = reader.findings.find(({ severity }) => severity === 'error');
  if (problem !== undefined)
    throw new JudgeError('judge_setup', `the target "${name}" cannot judge: ${problem.message}`);
  return config as unknown as JudgeConfig;
}
