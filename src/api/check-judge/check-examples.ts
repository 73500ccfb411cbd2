import { llmJudge } from '../../assertions/evaluators/llm-judge.ts';
import { reaches } from '../../model/threshold.ts';
import type { Judge } from '../../judges/judge.ts';
import type { LabelledExample } from '../../judges/labelled-examples.ts';
import { readSuiteFile } from '../../load/read-suite-file.ts';
import type { AssertionOutcome, Evidence } from '../../model/evidence.ts';
import type { Json, JsonObject } from '../../model/json.ts';

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
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [index, example] = next;
      checked[index] = toChecked(example, await ask(example, judgeFor(example), settings), settings);
    }
  };
  await Promise.all(Array.from({ length: Math.min(settings.workers, queue.length) }, work));
  return checked;
}

/** As in a run: the same prompt, the same way to read the reply. */
async function ask(
  example: LabelledExample,
  judge: Judge,
  { samples, threshold, prompt }: CheckSettings,
): Promise<AssertionOutcome> {
  const parameters: Record<string, Json> = { samples };
  if (example.rubrics !== undefined) parameters['rubrics'] = example.rubrics;
  if (prompt !== undefined) parameters['prompt'] = prompt;
  const { signal } = new AbortController();
  return llmJudge.evaluate(parameters, toEvidence(example, threshold), {
    signal,
    readFile: readPrompt,
    findFile: (path) => ({ path, inProject: path }),
    checkSchema: refuse,
    runScript: refuse,
    loadEvaluator: refuse,
    evaluateAll: refuse,
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

function toEvidence(example: LabelledExample, threshold: number): Evidence {
  const { line, input_messages, output, output_messages, expected_outcome } = example;
  const place = { file: '', line, column: 1 };
  return {
    test: { id: `line ${line}`, expected_outcome, steps: [], assertions: [], tags: [], threshold, place },
    threshold,
    file: '',
    input_messages,
    expected_messages: [],
    reply: { output, output_messages },
    memoryBefore: {},
    memoryAfter: {},
    durationMs: 0,
  };
}

function toChecked(
  { line, label }: LabelledExample,
  outcome: AssertionOutcome,
  { threshold }: CheckSettings,
): CheckedExample {
  if ('error' in outcome) return { line, label, error: outcome.error.message };
  const { score, message = '' } = outcome;
  const { samples } = outcome.details as { readonly samples?: readonly JsonObject[] };
  const passes = (value: number): boolean => reaches(value, threshold);
  const votes = (samples ?? [{ score }]).map((sample) => passes(sample['score'] as number));
  return { line, label, label_passes: passes(label), score, passes: passes(score), votes, message };
}
