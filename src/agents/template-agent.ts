import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { isJsonObject } from '../model/json.ts';
import { contentOf } from '../model/message.ts';
import { parseJson } from '../model/parse-json.ts';
import type { AgentRequest } from '../model/reply.ts';
import { lastLines } from './capture.ts';
import { describeExit, runProcess } from './child-process.ts';
import { readPrintedReply } from './command-agent.ts';
import { AgentError, OUTPUT_LIMIT_BYTES, type Agent, type Answer } from './contract.ts';
import { createHealthcheck, type Healthcheck } from './healthcheck.ts';

export interface TemplateAgentOptions {
  readonly name: string;
  /** A line for the shell with `{PROMPT}`, `{EVAL_ID}`, `{ATTEMPT}`, `{FILES}`, `{GUIDELINES}` and `{OUTPUT_FILE}`. */
  readonly template: string;
  /** Relative to the suite's folder, which is also the default. */
  readonly cwd?: string | undefined;
  /** How each file of `{FILES}` is written: `{path}` and `{basename}` in it. */
  readonly filesFormat?: string | undefined;
  readonly healthcheck?: Healthcheck | undefined;
  readonly timeoutMs?: number | undefined;
  /** One call answers every test of a suite: a line of JSON for each, by `id`. */
  readonly isBatch?: boolean | undefined;
  readonly workers?: number | undefined;
  readonly env: NodeJS.ProcessEnv;
}

/** A command line with holes that the request fills, quoted; the answer is in `{OUTPUT_FILE}`, or else printed. */
export function createTemplateAgent(options: TemplateAgentOptions): Agent {
  const checkHealth = createHealthcheck(options.healthcheck, options);
  const batches = new Map<string, Promise<ReadonlyMap<string, Answer>>>();
  const stop = new AbortController();
  return {
    name: options.name,
    workers: options.workers ?? availableParallelism(),
    async open({ id, file }) {
      return {
        async send(request, signal) {
          const either = AbortSignal.any([signal, stop.signal]);
          await checkHealth(file, either);
          if (options.isBatch !== true) return runTemplate(options, request, either);
          // The call serves every test of the suite, so it ends with the run and not with one test's limit.
          let batch = batches.get(file);
          if (batch === undefined) batches.set(file, (batch = runBatch(options, file, stop.signal)));
          const answer = (await untilAborted(batch, signal)).get(id);
          if (answer === undefined)
            throw new AgentError('agent', `the batch has no line with the id ${JSON.stringify(id)}`);
          return answer;
        },
        async close() {},
      };
    },
    async close() {
      stop.abort();
    },
  };
}

/** Whoever waits may stop waiting; what is waited for goes on for the others. */
function untilAborted<T>(waited: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((done, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    void waited.then(done, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

async function runTemplate(
  options: TemplateAgentOptions,
  request: AgentRequest,
  signal: AbortSignal,
): Promise<Answer> {
  const { text, printed } = await runLine(options, request, signal);
  return { reply: readPrintedReply(text), printed };
}

async function runBatch(
  options: TemplateAgentOptions,
  file: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Answer>> {
  const request = {
    input: '',
    input_messages: [],
    memory: {},
    test: { id: 'batch', file },
    step: 1,
    attempt: 1,
  };
  const { text, printed } = await runLine(options, request, signal);
  const answers = new Map<string, Answer>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const value = parseBatchLine(line, index + 1);
    if (answers.has(value.id))
      throw new AgentError(
        'contract',
        `line ${index + 1} of the batch repeats the id ${JSON.stringify(value.id)}`,
      );
    answers.set(value.id, { reply: value, printed });
  }
  return answers;
}

function parseBatchLine(line: string, number: number): { readonly id: string } & Record<string, never> {
  let value: unknown;
  try {
    value = parseJson(line);
  } catch (error) {
    throw new AgentError('contract', `line ${number} of the batch is no JSON: ${(error as Error).message}`);
  }
  if (!isJsonObject(value as never) || typeof (value as { id?: unknown }).id !== 'string') {
    throw new AgentError('contract', `line ${number} of the batch is no object with an \`id\``);
  }
  return value as { readonly id: string } & Record<string, never>;
}

async function runLine(
  options: TemplateAgentOptions,
  request: AgentRequest,
  signal: AbortSignal,
): Promise<{ text: string; printed: string }> {
  const outputFile = join(tmpdir(), `assay-${randomBytes(9).toString('hex')}.out`);
  const line = fillTemplate(options.template, { request, outputFile, filesFormat: options.filesFormat });
  const limit =
    options.timeoutMs === undefined ? signal : AbortSignal.any([signal, timeoutSignal(options.timeoutMs)]);
  try {
    const cwd = resolve(dirname(request.test.file), options.cwd ?? '.');
    const finished = await runProcess(['/bin/sh', '-c', line], {
      cwd,
      env: options.env,
      input: '',
      signal: limit,
    });
    const problem = describeExit(finished);
    const printed = [finished.stdout, finished.stderr].filter((part) => part !== '').join('\n');
    if (problem !== undefined)
      throw new AgentError(
        'agent',
        `the command ${problem}:\n${lastLines(finished.stderr) || lastLines(finished.stdout)}`,
        { printed },
      );
    if (!options.template.includes('{OUTPUT_FILE}'))
      return { text: finished.stdout, printed: finished.stderr };
    return { text: await readOutputFile(outputFile, printed), printed };
  } catch (error) {
    // Which of the two limits it was is said by the reason.
    throw limit.aborted && !signal.aborted ? limit.reason : error;
  } finally {
    await rm(outputFile, { force: true });
  }
}

function timeoutSignal(timeoutMs: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(
    () => controller.abort(new AgentError('timeout', `the command took longer than ${timeoutMs / 1000} s`)),
    timeoutMs,
  ).unref();
  return controller.signal;
}

async function readOutputFile(path: string, printed: string): Promise<string> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() !== true)
    throw new AgentError('contract', 'the command wrote nothing to {OUTPUT_FILE}', { printed });
  if (stats.size > OUTPUT_LIMIT_BYTES)
    throw new AgentError('limit', 'the command wrote more than 10 MB to {OUTPUT_FILE}', { printed });
  return readFile(path, 'utf8');
}

interface TemplateValues {
  readonly request: AgentRequest;
  readonly outputFile: string;
  readonly filesFormat?: string | undefined;
}

/** Each hole once; a value with holes in it stays as it is. An unknown name in braces is left alone. */
function fillTemplate(
  template: string,
  { request, outputFile, filesFormat = '{path}' }: TemplateValues,
): string {
  const files = inputFiles(request).map((path) =>
    filesFormat.replaceAll('{path}', quote(path)).replaceAll('{basename}', quote(basename(path))),
  );
  const values: Readonly<Record<string, string>> = {
    PROMPT: quote(request.input),
    GUIDELINES: quote(''),
    EVAL_ID: quote(request.test.id),
    ATTEMPT: quote(String(request.attempt - 1)),
    FILES: files.join(' '),
    OUTPUT_FILE: quote(outputFile),
  };
  return template.replaceAll(/\{([A-Z_]+)\}/g, (hole, name: string) => values[name] ?? hole);
}

function inputFiles({ input_messages, test }: AgentRequest): readonly string[] {
  const parts = input_messages.flatMap((message) => {
    const content = contentOf(message);
    return Array.isArray(content) ? content : [];
  });
  const paths = parts.flatMap((part) =>
    isJsonObject(part) && part['type'] === 'file' && typeof part['value'] === 'string' ? [part['value']] : [],
  );
  return [...new Set(paths.map((path) => findUpward(path, resolve(dirname(test.file)))))];
}

/** As the loader finds it: beside the suite, else in a folder above. */
function findUpward(path: string, folder: string): string {
  for (let current = folder; current !== dirname(current); current = dirname(current)) {
    if (existsSync(resolve(current, path))) return resolve(current, path);
  }
  return resolve(folder, path);
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
