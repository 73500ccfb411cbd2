import { dirname } from 'node:path';
import type { LoadedEvaluator } from '../contract/custom-evaluator.ts';
import type { Json, JsonObject } from '../../base/model/json.ts';
import { HostError, type HostProcess } from '../../agents/processes/host-process.ts';
import type { ProcessOptions } from '../../agents/processes/process-group.ts';
import { chooseInterpreter, startPython } from '../../agents/processes/python-host.ts';
import { quoteName } from '../../base/schema/did-you-mean.ts';
import { checkPythonAttributes } from './check-keys.ts';
import { EvaluatorFileError } from './evaluator-file-error.ts';
import { createFieldSchema } from './field-schema.ts';
import { PYTHON_EVALUATORS } from './python-evaluators-script.ts';
import { checkedBy, configOf } from './script-evaluators.ts';
import { readExample } from './read-example.ts';
import { readTimeout, withinTime } from './within-time.ts';

const LOAD_LIMIT_MS = 120_000;
/** Nobody reads what evaluators print, only the end of it when one crashes. */
const KEPT_OUTPUT_BYTES = 64 * 1024;

export type PythonOptions = Omit<ProcessOptions, 'cwd'>;

/** The evaluators of a Python file. One process answers one call after the other, and is kept between calls. */
export class PythonEvaluators {
  private readonly file: string;
  private readonly options: ProcessOptions;
  private readonly interpreter: string;
  private process: HostProcess | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private isClosed = false;

  constructor(file: string, options: PythonOptions) {
    this.file = file;
    this.options = { ...options, cwd: dirname(file) };
    this.interpreter = chooseInterpreter(options.env);
  }

  /** Throws an EvaluatorFileError. */
  async load(): Promise<readonly LoadedEvaluator[]> {
    const described = await this.start().catch((error: Error) => {
      throw new EvaluatorFileError(error.message);
    });
    return Promise.all(described.map((each) => this.toLoaded(each)));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.process?.stop();
  }

  private async start(): Promise<readonly JsonObject[]> {
    let started: HostProcess;
    try {
      started = await startPython(PYTHON_EVALUATORS, [this.interpreter, this.file], {
        ...this.options,
        keptOutputBytes: KEPT_OUTPUT_BYTES,
      });
    } catch (error) {
      throw new Error(
        `it needs ${this.interpreter}, but ${(error as Error).message}: install Python 3, or set ASSAY_PYTHON to its path`,
        { cause: error },
      );
    }
    this.process = started;
    const never = new AbortController().signal;
    const limit = { name: this.file, timeoutMs: LOAD_LIMIT_MS, signal: never, onLate: () => {} };
    try {
      return (await withinTime(ask(started, { load: true }), limit)) as readonly JsonObject[];
    } catch (error) {
      await started.stop();
      const { message } = error as Error;
      const isComplete = message.startsWith('it ');
      throw new Error(isComplete ? message : `it cannot be loaded: ${message}`, { cause: error });
    }
  }

  private async toLoaded(described: JsonObject): Promise<LoadedEvaluator> {
    const { name, doc, schema, timeout_ms, example, attributes } = described;
    const own = name as string;
    checkPythonAttributes(attributes as readonly string[], own);
    const fields = await createFieldSchema(schema, own);
    const timeoutMs = readTimeout(timeout_ms, own);
    const exampleOf = readExample(example, own);
    return {
      name: own,
      doc: (doc as string | null) ?? undefined,
      ...checkedBy(fields, schema),
      example: (authored) => exampleOf(() => authored),
      evaluate: (authored, evidence, signal) => {
        const config = configOf(fields, authored) as Json;
        return this.inTurn(() => this.call({ name: own, config, evidence }, { timeoutMs, signal }));
      },
    };
  }

  /** One call at a time. */
  private inTurn(call: () => Promise<Json>): Promise<Json> {
    const answered = this.last.then(call);
    this.last = answered.catch(() => {});
    return answered;
  }

  private async call(
    request: { readonly name: string } & JsonObject,
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<Json> {
    const { name } = request;
    const who = `the evaluator ${quoteName(name)}`;
    signal.throwIfAborted();
    if (this.isClosed) throw new Error(`${who} was stopped: the run has ended`);
    // One that was stopped, or ended by itself, is replaced.
    if (this.process?.isUsable !== true)
      await this.start().catch((error: Error) => {
        throw new Error(`${who} cannot start again: ${error.message}`);
      });
    const child = this.process!;
    const asked = ask(child, request).catch((error: Error) => {
      throw new Error(`${who} ${error.message}`);
    });
    return withinTime(asked, { name, timeoutMs, signal, onLate: () => void child.stop() });
  }
}

/** Rejects with the rest of a sentence. */
async function ask(child: HostProcess, request: object): Promise<Json> {
  const { error, reply } = await child.call(request).catch((failed: Error) => {
    const isOver = failed instanceof HostError && failed.reason === 'ended';
    throw isOver ? new Error(`${failed.message} before it returned${failed.said}`) : failed;
  });
  if (error !== undefined) throw new Error(String((error as JsonObject)['message']));
  return reply ?? null;
}
