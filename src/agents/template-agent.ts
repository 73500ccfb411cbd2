import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { AgentRequest } from '../base/model/reply.ts';
import { lastLines } from './processes/capture.ts';
import { describeExit } from './processes/run-process.ts';
import { BatchCalls } from './batch-calls.ts';
import { AgentPrograms } from './agent-programs.ts';
import { AgentError, passesCalls, type Agent, type Observing } from './contract.ts';
import { fillTemplate } from './fill-template.ts';
import { createHealthcheck, type Healthcheck } from './healthcheck.ts';
import { printedReply } from './reply-text.ts';
import { readOutputFile } from './read-output-file.ts';
import { readPrintedReply } from '../evidence/reply/read-printed-reply.ts';
import { ModelCallWatch, type RunProgram } from './model-call-watch.ts';
import { hasHole } from './template-holes.ts';

export interface TemplateAgentOptions {
  readonly name: string;
  /** A line for the shell with `{PROMPT}`, `{PROMPT_FILE}`, `{EVAL_ID}`, `{ATTEMPT}`, `{FILES}`, `{GUIDELINES}` and `{OUTPUT_FILE}`. */
  readonly template: string;
  /** Relative to the suite's folder, which is also the default. */
  readonly cwd?: string | undefined;
  /** How each file of `{FILES}` is written: `{path}` and `{basename}` in it. */
  readonly filesFormat?: string | undefined;
  readonly healthcheck?: Healthcheck | undefined;
  readonly timeoutMs?: number | undefined;
  /** One call for each repeat answers every test of a suite: a line of JSON for each, by `id`. */
  readonly isBatch?: boolean | undefined;
  readonly workers?: number | undefined;
  readonly env: NodeJS.ProcessEnv;
  /** Whether the model calls of the command are watched. Default: false; never those of a batch. */
  readonly observe?: Observing | undefined;
}

/** A command line with holes that the request fills, quoted; the answer is in `{OUTPUT_FILE}`, or else printed. */
export function createTemplateAgent(options: TemplateAgentOptions): Agent {
  const { name, workers = availableParallelism(), healthcheck, isBatch = false } = options;
  const verb = hasHole(options.template, 'OUTPUT_FILE') ? 'wrote to {OUTPUT_FILE}' : 'printed';
  const programs = new AgentPrograms();
  const checkHealth = createHealthcheck(healthcheck, { ...options, programs });
  const batches = isBatch
    ? new BatchCalls((request, signal) => runLine({ ...options, programs }, request, signal))
    : undefined;
  const { observe = false } = options;
  const watch = observe === false || isBatch ? undefined : new ModelCallWatch(options.env, observe);
  const run: RunProgram = async (request, { env, signal }) => {
    const { text, printed } = await runLine({ ...options, env, programs }, request, signal);
    return readPrintedReply(text, { verb, printed });
  };
  return {
    name,
    workers,
    modelCalls: watch !== undefined && passesCalls(observe) ? 'observed' : undefined,
    async open({ file }, opening) {
      const watched = await watch?.openSession(opening, run);
      return {
        async send(request, signal) {
          await checkHealth(file, signal);
          if (batches !== undefined) return batches.answer(request, signal);
          return watched?.send(request, signal) ?? run(request, { env: options.env, signal });
        },
        close: () => watched?.close(),
      };
    },
    async close() {
      await programs.close();
      await watch?.close();
    },
  };
}

async function runLine(
  options: TemplateAgentOptions & { readonly programs: AgentPrograms },
  request: AgentRequest,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly printed: string }> {
  const { template, filesFormat, timeoutMs, env, programs } = options;
  const [promptFile, outputFile] = ['prompt', 'out'].map((extension) =>
    join(tmpdir(), `assay-${randomBytes(9).toString('hex')}.${extension}`),
  ) as [string, string];
  const filled = fillTemplate(template, { request, promptFile, outputFile, filesFormat });
  const cwd = resolve(dirname(request.test.file), options.cwd ?? '.');
  try {
    if (hasHole(template, 'PROMPT_FILE')) await writeFile(promptFile, request.input, { mode: 0o600 });
    const exited = await programs.run(['/bin/sh', '-c', filled.line], {
      cwd,
      env: { ...env, ...filled.env },
      input: '',
      signal,
      timeoutMs,
    });
    const problem = describeExit(exited);
    const printed = [exited.stdout, exited.stderr].filter((part) => part !== '').join('\n');
    if (problem !== undefined) {
      const said = lastLines(exited.stderr) || lastLines(exited.stdout);
      throw new AgentError('agent', `the command ${problem}:\n${said}`, { printed });
    }
    if (!hasHole(template, 'OUTPUT_FILE')) return { text: printedReply(exited), printed: exited.stderr };
    return { text: await readOutputFile(outputFile, printed), printed };
  } finally {
    await Promise.all([promptFile, outputFile].map((file) => rm(file, { force: true })));
  }
}
