import { dirname } from 'node:path';
import { chooseInterpreter } from '../agents/python-agent.ts';
import type { LoadedEvaluator } from '../assertions/contract/custom-evaluator.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { printJson } from '../model/print-json.ts';
import type { ProcessOptions } from '../processes/process-group.ts';
import { quoteName } from '../schema/did-you-mean.ts';
import { checkPythonAttributes } from './check-keys.ts';
import { EvaluatorFileError } from './evaluator-file-error.ts';
import { createFieldSchema } from './field-schema.ts';
import { PythonProcess } from './python-process.ts';
import { checkedBy, configOf } from './script-evaluators.ts';
import { readExample } from './read-example.ts';
import { readTimeout, withinTime } from './within-time.ts';

const LOAD_LIMIT_MS = 120_000;

export type PythonOptions = Omit<ProcessOptions, 'cwd'>;

/** The evaluators of a Python file. One process answers one call after the other, and is kept between calls. */
export class PythonEvaluators {
  private readonly file: string;
  private readonly options: ProcessOptions;
  private readonly interpreter: string;
  private process: PythonProcess | undefined;
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
    let started: PythonProcess;
    try {
      started = await PythonProcess.start(this.interpreter, this.file, this.options);
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
      const { error, evaluators } = await withinTime(started.ask(), limit);
      if (error !== undefined) throw new Error(String(error));
      return evaluators as readonly JsonObject[];
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
    const asked = child.ask(printJson(request)).catch((error: Error) => {
      throw new Error(`${who} ${error.message}`);
    });
    const answer = await withinTime(asked, { name, timeoutMs, signal, onLate: () => void child.stop() });
    const { error, result } = answer;
    if (error !== undefined) throw new Error(`${who} ${String(error)}`);
    return result ?? null;
  }
}
