import type { Replies } from '../../agents/contract.ts';
import { llmJudge } from '../../checks/evaluators/llm-judge.ts';
import { createAssertionKinds } from '../../checks/registry.ts';
import { reaches } from '../../base/model/threshold.ts';
import type { Judge } from '../../checks/judges/judge.ts';
import type { LabelledExample } from '../../checks/judges/labelled-examples.ts';
import { readSuiteFile } from '../../suites/load/read-suite-file.ts';
import type { Json, JsonObject } from '../../base/model/json.ts';
import type { AssertionRecord } from '../../base/model/record.ts';
import type { MessagePlaces } from '../../base/model/test.ts';
import type { Attempt, AttemptContext } from '../../run/attempt/attempt.ts';
import { SYSTEM_CLOCK } from '../../run/pool/clock.ts';
import { gradeInTime, releaseLimits } from '../../run/attempt/execute-attempt.ts';
import { Grader } from '../../run/grade/grade.ts';

export interface CheckSettings {
  readonly samples: number;
  /** The score from which on something passes. */
  readonly threshold: number;
  readonly workers: number;
  /** A file with a custom prompt. */
  readonly prompt?: string | undefined;
}

export type CheckedExample = JudgedExample | UnjudgedExample;

export interface JudgedExample {
  /** The result of a run that it is about. */
  readonly id?: string | undefined;
  readonly line: number;
  readonly label: number;
  readonly label_passes: boolean;
  readonly score: number;
  readonly passes: boolean;
  /** The verdict of each sample. */
  readonly votes: readonly boolean[];
  readonly message: string;
}

interface UnjudgedExample {
  readonly id?: string | undefined;
  readonly line: number;
  readonly label: number;
  readonly error: string;
}

/** Sends every example to the judge, several at a time. */
export async function checkExamples(
  examples: readonly LabelledExample[],
  judgeFor: (example: LabelledExample) => Judge,
  settings: CheckSettings,
): Promise<readonly CheckedExample[]> {
  const checked: CheckedExample[] = [];
  const queue = [...examples.entries()];
  const grader = new Grader(createAssertionKinds());
  const { signal } = new AbortController();
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [index, example] = next;
      const evaluationHost = hostOf(judgeFor(example), signal);
      const context = { grader, threshold: settings.threshold, clock: SYSTEM_CLOCK, evaluationHost };
      const { record } = await gradeInTime(attemptOf(example, settings), repliesOf(example), {
        context,
        signal,
        timeoutMs: NO_LIMIT_MS,
      });
      checked[index] = toChecked(example, record.steps[0]!.assertions[0]!, settings);
    }
  };
  await Promise.all(Array.from({ length: Math.min(settings.workers, queue.length) }, work));
  releaseLimits(signal);
  return checked;
}

/** The longest that a timer can wait. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/** As in a run: the same prompt, the same way to read the judge's reply. */
function attemptOf(
  { line, input_messages, expected_outcome, rubrics }: LabelledExample,
  { samples, prompt }: CheckSettings,
): Attempt {
  const place = { file: '', line, column: 1 };
  const parameters: Record<string, Json> = { samples };
  if (rubrics !== undefined) parameters['rubrics'] = rubrics;
  if (prompt !== undefined) parameters['prompt'] = prompt;
  const { kind } = llmJudge;
  const assertion = { kind, name: kind, parameters, weight: 1, required: false, negate: false, place };
  const assertions = [{ form: 'evaluator' as const, ...assertion }];
  const id = `line ${line}`;
  const steps = [{ input_messages, expected_messages: [], assertions, place, places: NO_PLACES }];
  const test = { id, expected_outcome, steps, assertions: [], tags: [], place };
  return { id, file: '', test, target: '', repeat: 1, fingerprint: '' };
}

const NO_PLACES: MessagePlaces = {
  input_messages: [],
  expected_messages: [],
  inside: () => ({ file: '', line: 1, column: 1, path: '' }),
};

/** Of the messages only the text counts: which tools they show is not asked. */
function repliesOf({ output, output_messages }: LabelledExample): Replies {
  const reply = { reply: output, printed: '', recorded: { output_messages, trace_gap: undefined } };
  return () => ({ send: () => reply, close() {} });
}

function hostOf(judge: Judge, signal: AbortSignal): AttemptContext['evaluationHost'] {
  return () => ({
    signal,
    readFile: readPrompt,
    findFile: (path) => ({ path, inProject: path }),
    checkSchema: refuse,
    runScript: refuse,
    loadEvaluator: refuse,
    ask: refuse,
    judgeNames: refuse,
    assess: (request) => judge.assess(request, { signal }),
  });
}

/** Named on the command line, so it may be anywhere. */
async function readPrompt(path: string): Promise<string> {
  const read = readSuiteFile(path);
  if ('text' in read) return read.text;
  throw new Error(`${path}: ${read.finding.message}`);
}

function refuse(): Promise<never> {
  return Promise.reject(new Error('only the judge runs here'));
}

function toChecked(
  { line, label }: LabelledExample,
  { score, message, details, error }: AssertionRecord,
  { threshold }: CheckSettings,
): CheckedExample {
  if (score === undefined) return { line, label, error: error?.message ?? message };
  const { samples } = details as { readonly samples?: readonly JsonObject[] };
  const passes = (value: number): boolean => reaches(value, threshold);
  const votes = (samples ?? [{ score }]).map((sample) => passes(sample['score'] as number));
  return { line, label, label_passes: passes(label), score, passes: passes(score), votes, message };
}
