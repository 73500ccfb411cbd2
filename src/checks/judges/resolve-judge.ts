import { isJsonObject, ownValue, type Json } from '../../base/model/json.ts';
import { checkBareVariables, modelObject } from '../../agents/llm/model-object.ts';
import { isModelProvider, providerNamed } from '../../agents/llm/provider-names.ts';
import type { JudgeNames } from '../contract/judge.ts';
import { didYouMean } from '../../base/schema/did-you-mean.ts';
import { NOWHERE, Reader } from '../../base/schema/reader.ts';
import { refine } from '../../base/schema/refine.ts';
import { text } from '../../base/schema/values.ts';
import type { JudgeConfig } from './judge-config.ts';
import { JudgeError } from './judge-error.ts';

/** Where judges are named in a config. Targets are as their author wrote them. */
export interface JudgeSources {
  readonly judge?: string | (Omit<JudgeConfig, 'name'> & { readonly name?: string | undefined }) | undefined;
  readonly targets?: readonly { readonly name: string; readonly provider?: string | undefined }[] | undefined;
  /** Where a judge could be named, for hints. Default: `assay.config.yaml`. */
  readonly configFile?: string | undefined;
  /** Whether that is a `targets.yaml`. */
  readonly isTargetsFile?: boolean | undefined;
}

export interface JudgeChoice {
  /** The `target` of an evaluator. */
  readonly wanted?: string | undefined;
  /** The `judge_target` of the target under test. */
  readonly judgeTarget?: string | undefined;
}

/**
 * The judge that an evaluator calls: the one it names, else the config's, else its target's. Never the agent under
 * test by default.
 */
export function resolveJudge(sources: JudgeSources, { wanted, judgeTarget }: JudgeChoice): JudgeConfig {
  const { judge, targets = [] } = sources;
  const chosen = wanted ?? judge ?? judgeTarget;
  if (chosen === undefined) throw new JudgeError('no_judge', `no judge is configured: ${howTo(sources)}`);
  if (typeof chosen !== 'string') return { ...chosen, name: chosen.name ?? DEFAULT_NAME } as JudgeConfig;
  if (typeof judge === 'object' && (judge.name ?? DEFAULT_NAME) === chosen)
    return { ...judge, name: chosen } as JudgeConfig;
  const [target, second] = (targets as unknown as readonly Json[]).filter(
    (each) => isJsonObject(each) && ownValue(each, 'name') === chosen,
  );
  if (second !== undefined)
    throw new JudgeError('judge_setup', `two targets are named "${chosen}": rename or remove one of them`);
  if (target !== undefined) return readTarget(target, chosen);
  const names = targets.filter(({ provider }) => canJudge(provider)).map(({ name }) => name);
  const hint = didYouMean(chosen, names) ?? `use one of ${names.map((name) => `"${name}"`).join(', ')}`;
  throw new JudgeError(
    'judge_setup',
    `unknown judge "${chosen}": ${names.length === 0 ? howTo(sources, chosen) : hint}`,
  );
}

/** The default judge, and every name that leads to a judge. */
export function nameJudges(sources: JudgeSources, choice: JudgeChoice): JudgeNames {
  const { name } = resolveJudge(sources, choice);
  const targets = (sources.targets ?? [])
    .filter(({ provider }) => canJudge(provider))
    .map((each) => each.name);
  return { judge: name, judges: [...new Set([name, ...targets])] };
}

function canJudge(written: Json | undefined): boolean {
  const provider = typeof written === 'string' ? providerNamed(written) : '';
  return provider === 'mock' || isModelProvider(provider);
}

const DEFAULT_NAME = 'judge';

/** What to write, in the file that the project already has: another one might override it, or be ignored. */
function howTo(
  { targets = [], configFile = 'assay.config.yaml', isTargetsFile }: JudgeSources,
  modelName = '...',
): string {
  const others =
    'or use evaluators without a judge, such as `contains`, `regex`, `match` or `tool_trajectory`';
  if (isTargetsFile !== true)
    return `set \`judge: { provider: openai, model: ${modelName} }\` in ${configFile}, ${others}`;
  const model = targets.find(
    ({ provider }) => typeof provider === 'string' && isModelProvider(providerNamed(provider)),
  );
  const name = model?.name ?? 'NAME';
  const what = model === undefined ? ' (NAME is a target with the `provider` and `model` of a judge)' : '';
  return `in ${configFile}, set \`judge: ${name}\` next to \`targets\`, or \`judge_target: ${name}\` in the target${what}; ${others}`;
}

/** A chat target may have more fields than a judge needs. */
const modelTarget = refine(
  modelObject(
    { name: { schema: text({ nonEmpty: true }), doc: 'Its name.' } },
    { what: 'a judge', unknown: 'warning' },
  ),
  checkBareVariables,
);

function readTarget(target: Json, name: string): JudgeConfig {
  const written = isJsonObject(target) ? ownValue(target, 'provider') : undefined;
  const provider = typeof written === 'string' ? providerNamed(written) : '';
  if (provider === 'mock') return { ...(target as object), provider } as unknown as JudgeConfig;
  if (!isModelProvider(provider)) {
    throw new JudgeError(
      'judge_setup',
      `the target "${name}" cannot be a judge: a judge is a model, with \`provider\` and \`model\``,
    );
  }
  const reader = new Reader(NOWHERE);
  const config = modelTarget.read(target, reader);
  const problem = reader.findings.find(({ severity }) => severity === 'error');
  if (problem !== undefined)
    throw new JudgeError('judge_setup', `the target "${name}" cannot be a judge: ${problem.message}`);
  return config as unknown as JudgeConfig;
}
