import type { Json, JsonObject } from '../../base/model/json.ts';
import type { TokenUsage } from '../../base/model/reply.ts';

/** A question to a judge model, answered as JSON that fits a schema. */
export interface JudgeRequest {
  /** Which judge of the config; undefined for the default one. */
  readonly target?: string | undefined;
  readonly system: string;
  readonly prompt: string;
  /** JSON Schema of the answer. */
  readonly schema: JsonObject;
  /** Tells several answers to one question apart: 0, 1, ... */
  readonly sample: number;
  /** Why an answer cannot be used although it fits the schema: a score outside of its range, a rubric left out. */
  readonly check: (answer: Json) => string | undefined;
}

export interface JudgeReply extends JudgeSpending {
  readonly answer: Json;
  readonly model: string;
  /** Kept from before: nobody was asked. */
  readonly isCached?: boolean | undefined;
  /** The target under test, if it judged its own answer because nobody named another judge. */
  readonly judgedItself?: string | undefined;
}

/** Of all calls an answer took; undefined when it is not known. */
export interface JudgeSpending {
  readonly token_usage?: TokenUsage | undefined;
  readonly cost_usd?: number | undefined;
}

/** How a script that judges may ask a model. */
export interface JudgeAccess {
  readonly maxCalls: number;
  ask(question: JudgeQuestion, signal: AbortSignal): Promise<string>;
  names(): Promise<JudgeNames>;
  /** A request was not passed on to the judge: beyond the limit, or not one that can be answered. */
  onRefused(refusal: RefusedCall): void;
}

export interface RefusedCall {
  readonly reason: 'limit' | 'request';
  readonly message: string;
}

export interface JudgeQuestion {
  /** Which judge of the config; undefined for the default one. */
  readonly target?: string | undefined;
  readonly system?: string | undefined;
  readonly prompt: string;
}

export interface JudgeText extends JudgeSpending {
  readonly text: string;
}

export interface JudgeNames {
  readonly judge: string;
  readonly judges: readonly string[];
}
