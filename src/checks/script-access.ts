import type { AssertionOutcome, OutcomeWarning } from '../base/model/evidence.ts';
import type { EvaluationTools } from './contract/evaluation-tools.ts';
import type { JudgeAccess, RefusedCall } from './contract/judge.ts';
import { object } from '../base/schema/object.ts';
import { byType } from '../base/schema/by-type.ts';
import type { Infer } from '../base/schema/schema.ts';
import { boolean, number } from '../base/schema/values.ts';
import { judgeFailed } from './unmeasured.ts';

/** `target` of a `code_judge`: whether its script may ask the judge, and how often. */
export const scriptTarget = byType(
  {
    boolean: boolean(),
    object: object(
      {
        max_calls: {
          schema: number({ min: 0, integer: true }),
          doc: 'How many calls it may make. Default: 50.',
        },
      },
      { what: 'the `target` of a script' },
    ),
  },
  { hint: 'write `target: { max_calls: 10 }`, or `target: true` for 50 calls' },
);

const DEFAULT_MAX_CALLS = 50;

type ScriptTarget = Infer<typeof scriptTarget>;

export function mayAskJudge(target: ScriptTarget | undefined): target is Exclude<ScriptTarget, false> {
  return target !== undefined && target !== false;
}

/** What a script asked of the judge, and what that means for its score. */
export class ScriptAccess {
  readonly access: JudgeAccess;
  private readonly problems: string[] = [];
  private answers = 0;
  private readonly refused: RefusedCall[] = [];

  constructor(target: ScriptTarget, tools: Pick<EvaluationTools, 'ask' | 'judgeNames'>) {
    const { max_calls = DEFAULT_MAX_CALLS } = typeof target === 'boolean' ? {} : target;
    this.access = {
      maxCalls: max_calls,
      names: async () => {
        try {
          return await tools.judgeNames();
        } catch (error) {
          this.problems.push((error as Error).message);
          throw error;
        }
      },
      onRefused: (refusal) => {
        this.refused.push(refusal);
      },
      ask: async (question, signal) => {
        try {
          const { text } = await tools.ask(question, signal);
          this.answers++;
          return text;
        } catch (error) {
          // A script that has ended wants no answer any more.
          if (!signal.aborted) this.problems.push((error as Error).message);
          throw error;
        }
      },
    };
  }

  /** A script may hide that the judge never answered. Its score is nobody's verdict then. */
  review(outcome: AssertionOutcome): AssertionOutcome {
    if ('error' in outcome) return outcome;
    const problem = this.problems[0] ?? this.describeRefusal();
    if (this.answers === 0 && problem !== undefined)
      return judgeFailed(`the script printed a score, but the judge answered none of its calls: ${problem}`);
    const warnings = [...(outcome.warnings ?? []), ...this.warnings()];
    return warnings.length === 0 ? outcome : { ...outcome, warnings };
  }

  private describeRefusal(): string | undefined {
    const [refused] = this.refused;
    return refused?.reason === 'limit' ? `\`max_calls\` is ${this.access.maxCalls}` : refused?.message;
  }

  private warnings(): readonly OutcomeWarning[] {
    const { problems, answers, refused } = this;
    const warnings: OutcomeWarning[] = [];
    if (problems.length > 0)
      warnings.push({
        code: 'judge_call_failed',
        message: `the judge did not answer ${problems.length} of ${problems.length + answers} calls of the script: ${problems[0]}`,
        isAboutEvidence: true,
      });
    if (refused.some(({ reason }) => reason === 'limit'))
      warnings.push({
        code: 'judge_call_refused',
        message: `the script made more than its ${this.access.maxCalls} judge calls`,
        hint: 'raise `max_calls` of its `target`, or make fewer calls in the script',
        isAboutEvidence: true,
      });
    const invalid = refused.filter(({ reason }) => reason === 'request');
    if (invalid.length > 0)
      warnings.push({
        code: 'judge_call_refused',
        message: `${invalid.length === 1 ? 'a call' : `${invalid.length} calls`} of the script could not be passed to the judge: ${invalid[0]!.message}`,
        hint: 'correct the request in the script',
        isAboutEvidence: true,
      });
    return warnings;
  }
}
