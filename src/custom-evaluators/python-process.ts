import type { Duplex } from 'node:stream';
import { LineReader } from '../agents/line-reader.ts';
import type { JsonObject } from '../model/json.ts';
import { parseJson } from '../model/parse-json.ts';
import { Capture, lastLines } from '../processes/capture.ts';
import { OUTPUT_LIMIT_BYTES } from '../processes/limits.ts';
import { ProcessGroup, type Exit, type ProcessOptions } from '../processes/process-group.ts';
import { describeExit } from '../processes/run-process.ts';
import { PYTHON_EVALUATORS } from './python-bridge.ts';

interface Waiting {
  resolve(answer: JsonObject): void;
  reject(error: Error): void;
}

const KEPT_OUTPUT_BYTES = 64 * 1024;

/** A python3 that holds the evaluators of one file. Answers come in the order of the lines that were sent. */
export class PythonProcess {
  private readonly group: ProcessGroup;
  private readonly requests: Duplex;
  private readonly stderr = new Capture(KEPT_OUTPUT_BYTES);
  private waiting: Waiting | undefined;
  isUsable = true;

  static async start(interpreter: string, file: string, options: ProcessOptions): Promise<PythonProcess> {
    const argv = [interpreter, '-u', '-c', PYTHON_EVALUATORS, file];
    return new PythonProcess(
      await ProcessGroup.start(argv, ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'], options),
    );
  }

  private constructor(group: ProcessGroup) {
    this.group = group;
    const { stdout, stderr, stdio } = group.child;
    this.requests = stdio[3] as Duplex;
    const lines = new LineReader(OUTPUT_LIMIT_BYTES, {
      onLine: (line) => this.receive(line),
      onFlood: () => this.fail(new Error(`returned more than ${OUTPUT_LIMIT_BYTES / 1024 / 1024} MB`)),
    });
    (stdio[4] as Duplex).on('data', (chunk: Buffer) => lines.add(chunk));
    // Nobody reads what it prints, but a full pipe would stop it.
    stdout!.resume();
    stderr!.on('data', (chunk: Buffer) => this.stderr.add(chunk));
    void group.ended.then((exit) => this.end(exit));
  }

  /** The next line it writes, after a line was sent to it if one is given. */
  ask(line?: string): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      if (!this.isUsable) this.fail(new Error('has ended'));
      else if (line !== undefined) this.requests.write(`${line}\n`);
    });
  }

  stop(): Promise<void> {
    this.isUsable = false;
    return this.group.stop();
  }

  private receive(line: string): void {
    const { waiting } = this;
    this.waiting = undefined;
    try {
      const answer = parseJson(line) as JsonObject;
      if (waiting === undefined) void this.stop();
      waiting?.resolve(answer);
    } catch (error) {
      void this.stop();
      waiting?.reject(new Error(`wrote a line that cannot be read: ${(error as Error).message}`));
    }
  }

  private fail(error: Error): void {
    void this.stop();
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.reject(error);
  }

  private end(exit: Exit): void {
    this.isUsable = false;
    const said = lastLines(this.stderr.text());
    const how = describeExit(exit) ?? 'exited with code 0';
    this.fail(new Error(`${how} before it returned${said === '' ? '' : `:\n${said}`}`));
  }
}
