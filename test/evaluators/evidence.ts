import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createAssertionKinds } from '../../src/checks/registry.ts';
import type { Assertion } from '../../src/base/model/assertion.ts';
import type {
  AssertionOutcome,
  Evidence,
  MeasuredOutcome,
  ExplainedOutcome,
} from '../../src/base/model/evidence.ts';
import { explainOutcome } from '../../src/run/verdicts/explain-outcome.ts';
import type { Json, JsonObject } from '../../src/base/model/json.ts';
import type { Message } from '../../src/base/model/message.ts';
import { printJson } from '../../src/base/model/print-json.ts';
import { DEFAULT_THRESHOLD } from '../../src/base/model/threshold.ts';
import type { Reply } from '../../src/base/model/reply.ts';
import type { EvaluationTools } from '../../src/checks/contract/evaluation-tools.ts';
import type { JudgeReply, JudgeRequest } from '../../src/checks/contract/judge.ts';
import type { ScriptRequest, ScriptResult } from '../../src/checks/contract/script.ts';
import { SchemaChecker } from '../../src/api/evaluation/schema-checker.ts';
import { NOWHERE, Reader } from '../../src/base/schema/reader.ts';

const kinds = createAssertionKinds();
const schemas = new SchemaChecker();
const PLACE = { file: 'suite.yaml', line: 1, column: 1 };

export interface Given extends Partial<Omit<Evidence, 'reply' | 'test'>> {
  readonly reply?: Partial<Reply>;
  readonly threshold?: number;
  readonly expected_outcome?: string;
}

/** Evidence written by hand: fields that are not given are empty. */
export function evidence({
  reply,
  threshold = DEFAULT_THRESHOLD,
  expected_outcome,
  ...rest
}: Given = {}): Evidence {
  const test = { id: 't', steps: [], assertions: [], tags: [], place: PLACE, threshold, expected_outcome };
  return {
    test,
    threshold,
    file: 'suite.yaml',
    input_messages: [{ role: 'user', content: 'hello' }],
    expected_messages: [],
    memoryBefore: {},
    memoryAfter: {},
    durationMs: 10,
    ...rest,
    reply: { output: '', ...reply },
  };
}

/** The expected messages of a test that expects one answer. */
export function answer(content: Json): readonly Message[] {
  return [{ role: 'assistant', content }];
}

/** Reads evaluators as in a suite. Throws on findings of severity error. */
export function read(...authored: readonly JsonObject[]): readonly Assertion[] {
  const reader = new Reader(NOWHERE);
  const assertions = kinds.evaluatorList.read(authored, reader);
  const errors = reader.findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map(({ code, message }) => `${code}: ${message}`).join('\n'));
  return assertions!;
}

/** Evaluates one evaluator, as written in a file, on evidence. */
export async function evaluate(
  authored: JsonObject,
  given: Given = {},
  tools: Partial<EvaluationTools> = {},
): Promise<AssertionOutcome> {
  const [assertion] = read(authored);
  return evaluateAssertion(assertion!, evidence(given), tools);
}

/** The same, for an evaluator that must give a score. */
export async function measure(
  authored: JsonObject,
  given: Given = {},
  tools: Partial<EvaluationTools> = {},
): Promise<MeasuredOutcome> {
  const outcome = await evaluate(authored, given, tools);
  if ('error' in outcome) throw new Error(`expected a score, got the error: ${outcome.error.message}`);
  return outcome;
}

/** The same, for an evaluator that must fail to give one: its message. */
export async function errorOf(
  authored: JsonObject,
  given: Given = {},
  tools: Partial<EvaluationTools> = {},
): Promise<string> {
  const outcome = await evaluate(authored, given, tools);
  if (!('error' in outcome))
    throw new Error(`expected an error, got the score ${outcome.score}: ${outcome.message}`);
  return outcome.error.message;
}

async function evaluateAssertion(
  assertion: Assertion,
  on: Evidence,
  overrides: Partial<EvaluationTools>,
): Promise<ExplainedOutcome> {
  const tools: EvaluationTools = {
    signal: new AbortController().signal,
    readFile: (path) => readFile(path, 'utf8'),
    findFile: (path) => ({ path, inProject: path }),
    checkSchema: (schema, output) =>
      schemas.check({ schema: printJson(schema), output }, new AbortController().signal),
    runScript,
    loadEvaluator: () => Promise.reject(new Error('no evaluator can be loaded here')),
    assess: () => Promise.reject(new Error('no judge is configured')),
    ask: () => Promise.reject(new Error('no judge is configured')),
    judgeNames: () => Promise.reject(new Error('no judge is configured')),
    evaluateAll: (assertions) => {
      return Promise.all(
        assertions.map(async (inner) => ({
          assertion: inner,
          outcome: await evaluateAssertion(inner, on, overrides),
        })),
      );
    },
    ...overrides,
  };
  const kind = kinds.evaluators.find((candidate) => candidate.kind === assertion.kind)!;
  const outcome = await kind.evaluate(assertion.parameters, on, tools);
  return explainOutcome(outcome, { negate: assertion.negate, redact: (value) => value });
}

/** Really runs a program. */
function runScript({ script, stdin, timeoutMs }: ScriptRequest): Promise<ScriptResult> {
  const [command, ...words] = typeof script === 'string' ? ['sh', '-c', script] : script;
  return new Promise((resolve, reject) => {
    const child = spawn(command!, words, { stdio: 'pipe' });
    let stdout = '';
    let stderr = '';
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(
            () => (child.kill('SIGKILL'), reject(new Error(`took longer than ${timeoutMs} ms`))),
            timeoutMs,
          );
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.stdin.on('error', () => {});
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ exitCode: code ?? undefined, signal: signal ?? undefined, stdout, stderr });
    });
    child.stdin.end(stdin);
  });
}

/** A judge with scripted answers, which keeps its requests. */
export function judgeWith(reply: Json): {
  readonly asked: JudgeRequest[];
  assess(request: JudgeRequest): Promise<JudgeReply>;
} {
  const asked: JudgeRequest[] = [];
  return {
    asked,
    assess(request) {
      asked.push(request);
      return Promise.resolve({ answer: reply, model: 'test' });
    },
  };
}
