import type { AssertionOutcome, Evidence, MeasuredOutcome } from '../../base/model/evidence.ts';
import type { Json, JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { EvaluationTools } from '../contract/evaluation-tools.ts';
import type { JudgeReply } from '../contract/judge.ts';
import { graderPayload } from '../agentv/grader-payload.ts';
import { judgedTexts, judgePayload } from '../judge-payload.ts';
import { buildPrompt, shownRubrics, type JudgePrompt } from './build-prompt.ts';
import { hasVariables } from './fill-template.ts';
import { judgeTexts } from './judge-texts.ts';
import { JudgingProblem } from './judging-problem.ts';
import { majority } from './majority.ts';
import { shadowed, type AuthoredPrompt } from './prompt-template.ts';
import { createQuoteCheck, describeQuotes } from './quotes.ts';
import { resolvePrompt, type PromptScript } from './resolve-prompt.ts';
import { rubricItems } from './rubric-items.ts';
import type { AuthoredRubric } from './rubric-schema.ts';
import { readRubricVerdict, rubricSchema, type Rubrics } from './rubric-verdict.ts';
import { readVerdict, VERDICT_SCHEMA, type JudgedSample } from './verdict.ts';

export interface JudgingParameters {
  readonly prompt?: AuthoredPrompt | PromptScript | undefined;
  /** Instead of that of the test. */
  readonly expected_outcome?: string | undefined;
  readonly rubrics?: readonly AuthoredRubric[] | undefined;
  readonly share?: boolean | undefined;
  readonly target?: string | undefined;
  readonly samples?: number | undefined;
  /** For a prompt script. */
  readonly config?: JsonObject | undefined;
}

/** Asks a judge about the evidence, as often as configured. Without a verdict it is an error, never a score. */
export async function judgeEvidence(
  parameters: JudgingParameters,
  given: Evidence,
  tools: EvaluationTools,
): Promise<AssertionOutcome> {
  const { expected_outcome = given.test.expected_outcome } = parameters;
  const evidence = { ...given, test: { ...given.test, expected_outcome } };
  try {
    const rubrics = parameters.rubrics && {
      items: rubricItems(parameters.rubrics),
      isShare: parameters.share === true,
    };
    const prompt = await preparePrompt(parameters, { evidence, tools, rubrics });
    const replies = await ask(prompt, parameters, { tools, rubrics });
    return toOutcome(replies, { prompt, evidence, rubrics });
  } catch (error) {
    if (error instanceof JudgingProblem) return { error: { kind: error.kind, message: error.message } };
    throw error;
  }
}

interface Preparation {
  readonly evidence: Evidence;
  readonly tools: EvaluationTools;
  readonly rubrics: Rubrics | undefined;
}

async function preparePrompt(
  { prompt, config }: JudgingParameters,
  { evidence, tools, rubrics }: Preparation,
): Promise<JudgePrompt> {
  const texts = judgeTexts(evidence, rubrics && shownRubrics(rubrics.items));
  if (prompt === undefined) return buildPrompt({ texts, evidence, rubrics: rubrics?.items });
  const isAgentv = typeof prompt === 'object' && 'script' in prompt && prompt.stdin === 'agentv';
  const payloadOf = isAgentv ? graderPayload : judgePayload;
  const payload = {
    stdin: (own: JsonObject | undefined) => printJson(payloadOf(evidence, own ?? config, tools)),
    holdsVariables: Object.values(texts).some(hasVariables),
  };
  const authored = await resolvePrompt(prompt, payload, tools);
  return buildPrompt({ texts, evidence, rubrics: rubrics?.items, authored });
}

interface Asking {
  readonly tools: EvaluationTools;
  readonly rubrics: Rubrics | undefined;
}

async function ask(
  { system, prompt }: JudgePrompt,
  { target, samples = 1 }: JudgingParameters,
  { tools, rubrics }: Asking,
): Promise<readonly JudgeReply[]> {
  const schema = rubrics === undefined ? VERDICT_SCHEMA : rubricSchema(rubrics.items);
  const check = (answer: Json): string | undefined => problemOf(answer, rubrics);
  const questions = Array.from({ length: samples }, (_, sample) => ({
    target,
    system,
    prompt,
    schema,
    sample,
    check,
  }));
  // All of them are awaited: the cost of each is counted, even if one failed.
  const settled = await Promise.allSettled(questions.map((question) => tools.assess(question)));
  return settled.map((each) => {
    if (each.status === 'fulfilled') return each.value;
    const error: unknown = each.reason;
    const isMissing = (error as { readonly code?: unknown }).code === 'cassette';
    const message = error instanceof Error ? error.message : String(error);
    throw new JudgingProblem(message, isMissing ? 'cassette' : 'judge');
  });
}

/** Why no verdict can be read from a reply. */
function problemOf(answer: Json, rubrics: Rubrics | undefined): string | undefined {
  try {
    readSample(answer, rubrics, () => []);
    return undefined;
  } catch (error) {
    if (error instanceof JudgingProblem) return error.message;
    throw error;
  }
}

function readSample(
  answer: Json,
  rubrics: Rubrics | undefined,
  check: ReturnType<typeof createQuoteCheck>,
): JudgedSample {
  return rubrics === undefined ? readVerdict(answer, check) : readRubricVerdict(answer, rubrics, check);
}

interface Judging {
  readonly prompt: JudgePrompt;
  readonly evidence: Evidence;
  readonly rubrics: Rubrics | undefined;
}

function toOutcome(replies: readonly JudgeReply[], { prompt, evidence, rubrics }: Judging): AssertionOutcome {
  const check = createQuoteCheck(evidence);
  const samples = replies.map(({ answer }) => readSample(answer, rubrics, check));
  const { score, passes, spokesman } = majority(samples, evidence.threshold);
  const votes = samples.length === 1 ? '' : `${passes} of ${samples.length} samples pass: `;
  return {
    score,
    message: `${votes}${spokesman.message}${describeQuotes(spokesman.quotes)}`,
    expected: evidence.test.expected_outcome,
    actual: evidence.reply.output,
    hits: spokesman.hits,
    misses: spokesman.misses,
    details: toDetails(samples, spokesman, { model: replies[0]!.model, evidence }),
    ...warningsFor(prompt, replies[0]!.judgedItself),
  };
}

/** With what people need to follow the verdict: who judged, the score to reach, and the answer that was compared with. */
function toDetails(
  samples: readonly JudgedSample[],
  spokesman: JudgedSample,
  { model, evidence }: { readonly model: string; readonly evidence: Evidence },
): Json {
  const { threshold } = evidence;
  const reference = judgedTexts(evidence).reference_answer;
  const facts = { model, threshold, ...(reference === '' ? {} : { reference_answer: reference }) };
  if (samples.length === 1) return { ...facts, ...spokesman.details };
  return { ...facts, ...spokesman.details, samples: samples.map(({ details }) => details) };
}

function warningsFor(
  { unknownVariables: unknown, shadowedVariables }: JudgePrompt,
  judgedItself: string | undefined,
): Pick<MeasuredOutcome, 'warnings'> {
  const names = unknown.map((name) => `{{${name}}}`).join(', ');
  const warnings = [
    ...(judgedItself === undefined
      ? []
      : [
          {
            code: 'self_judge',
            message: `"${judgedItself}" judged its own answer, because no other judge is named: set \`judge_target\` on the target`,
          },
        ]),
    ...(unknown.length === 0
      ? []
      : [
          {
            code: 'unknown_variable',
            message: `the prompt contains ${names}, which is not a variable and stays as it is`,
          },
        ]),
    ...shadowedVariables.map((name) => ({ code: shadowed(name).code, message: shadowed(name).message })),
  ];
  return warnings.length === 0 ? {} : { warnings };
}
