import type { Json, JsonObject } from '../../base/model/json.ts';
import type { ModelConfig } from '../../agents/llm/model-config.ts';
import { checkBareVariables, modelObject } from '../../agents/llm/model-object.ts';
import { byType } from '../../base/schema/by-type.ts';
import { refine } from '../../base/schema/refine.ts';
import { text } from '../../base/schema/values.ts';

export type JudgeConfig = ModelJudgeConfig | MockJudgeConfig;

export interface ModelJudgeConfig extends ModelConfig {
  readonly name: string;
}

/** Returns fixed replies, for trying things out without a model. */
export interface MockJudgeConfig {
  readonly name: string;
  readonly provider: 'mock';
  readonly response?: string | JsonObject | undefined;
  /** One per call; the last repeats. */
  readonly replies?: readonly Json[] | undefined;
}

/** `judge:` in the config: the name of a target, or a model. */
export const judgeSchema = byType({
  string: text({ nonEmpty: true, label: 'name of a target' }),
  object: refine(
    modelObject(
      { name: { schema: text({ nonEmpty: true }), doc: 'Its name in results. Default: `judge`.' } },
      { what: 'a judge' },
    ),
    checkBareVariables,
  ),
});
