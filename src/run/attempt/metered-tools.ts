import type { Assertion } from '../../base/model/assertion.ts';
import type { JsonObject } from '../../base/model/json.ts';
import type { SchemaCheck } from '../../base/model/schema-check.ts';
import { addAll, addUsage } from '../../base/model/usage.ts';
import type { RefusedStatus } from '../../base/model/refused-status.ts';
import type { TokenUsage } from '../../base/model/reply.ts';
import type { JudgePrompt } from '../../base/model/sent-request.ts';
import { sentText } from '../../base/model/sent-texts.ts';
import type { LoadedEvaluator } from '../../checks/contract/custom-evaluator.ts';
import type { EvaluationTools, NamedFile } from '../../checks/contract/evaluation-tools.ts';
import type {
  JudgeNames,
  JudgeQuestion,
  JudgeReply,
  JudgeRequest,
  JudgeSpending,
  JudgeText,
} from '../../checks/contract/judge.ts';
import type { ScriptRequest, ScriptResult } from '../../checks/contract/script.ts';

/** What the outside world offers to the evaluators of one suite. */
export type EvaluationHost = Omit<EvaluationTools, 'evaluateAll'>;

/** The cost of the judge calls. A cached reply costs nothing. */
export interface JudgeUse {
  readonly judge_calls: number;
  /** Absent if one of the calls does not report it. */
  readonly judge_token_usage?: TokenUsage | undefined;
  readonly judge_cost_usd?: number | undefined;
  /** Each once: of several samples, all were asked the same. */
  readonly judge_prompts: readonly JudgePrompt[];
}

/** The tools of one assertion. What it spends on judges is recorded, including the calls of nested assertions. */
export class MeteredTools implements EvaluationTools {
  private readonly evaluationHost: EvaluationHost;
  private readonly evaluateWith: (
    assertions: readonly Assertion[],
    tools: EvaluationHost,
  ) => ReturnType<EvaluationTools['evaluateAll']>;
  private spent: JudgeSpending[] | undefined;
  private prompts: Map<string, JudgePrompt> | undefined;
  /** The status with which a judge refused the key. */
  refusedStatus: RefusedStatus | undefined;

  constructor(evaluationHost: EvaluationHost, evaluateWith: MeteredTools['evaluateWith']) {
    this.evaluationHost = evaluationHost;
    this.evaluateWith = evaluateWith;
  }

  get signal(): AbortSignal {
    return this.evaluationHost.signal;
  }

  readFile(path: string): Promise<string> {
    return this.evaluationHost.readFile(path);
  }

  findFile(path: string): NamedFile {
    return this.evaluationHost.findFile(path);
  }

  checkSchema(schema: JsonObject, json: string): Promise<SchemaCheck> {
    return this.evaluationHost.checkSchema(schema, json);
  }

  runScript(script: ScriptRequest): Promise<ScriptResult> {
    return this.evaluationHost.runScript(script);
  }

  loadEvaluator(reference: string): Promise<LoadedEvaluator> {
    return this.evaluationHost.loadEvaluator(reference);
  }

  assess(request: JudgeRequest): Promise<JudgeReply> {
    const { system, prompt, schema } = request;
    this.asked({ system: sentText(system), prompt: sentText(prompt), schema: sentText(schema) });
    return this.metered(this.evaluationHost.assess(request));
  }

  async ask(question: JudgeQuestion, signal: AbortSignal): Promise<JudgeText> {
    this.asked({ system: sentText(question.system), prompt: sentText(question.prompt) });
    return this.metered(this.evaluationHost.ask(question, signal));
  }

  judgeNames(): Promise<JudgeNames> {
    return this.evaluationHost.judgeNames();
  }

  evaluateAll(assertions: readonly Assertion[]): ReturnType<EvaluationTools['evaluateAll']> {
    return this.evaluateWith(assertions, this);
  }

  /** Undefined if no judge was called. */
  use(): JudgeUse | undefined {
    const { spent } = this;
    if (spent === undefined) return undefined;
    return {
      judge_calls: spent.length,
      judge_token_usage: addUsage(spent.map(({ token_usage }) => token_usage)),
      judge_cost_usd: addAll(spent.map(({ cost_usd }) => cost_usd)),
      judge_prompts: [...(this.prompts?.values() ?? [])],
    };
  }

  private asked(prompt: JudgePrompt): void {
    (this.prompts ??= new Map()).set(Object.values(prompt).join('\0'), prompt);
  }

  private async metered<Reply extends JudgeSpending & { readonly isCached?: boolean | undefined }>(
    asked: Promise<Reply>,
  ): Promise<Reply> {
    try {
      const reply = await asked;
      this.note(reply.isCached === true ? FREE : reply);
      return reply;
    } catch (error) {
      const { spent, refusedStatus } = error as {
        readonly spent?: JudgeSpending;
        readonly refusedStatus?: RefusedStatus;
      };
      this.refusedStatus ??= refusedStatus;
      if (spent !== undefined) this.note(spent);
      throw error;
    }
  }

  private note(spending: JudgeSpending): void {
    (this.spent ??= []).push(spending);
  }
}

const FREE: JudgeSpending = { token_usage: { input: 0, output: 0 }, cost_usd: 0 };
