import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { MessageType, type ProtocolConnection } from 'vscode-languageserver/node';
import { findProjectRoot, rootForSuite } from '../suites/load/project-root.ts';
import type { CheckedTest } from './check-document.ts';
import { isSaved } from './is-saved.ts';
import { lastResult } from './last-result.ts';
import { readArgument, RUN, SHOW_LAST_RESULT, type TestArgument } from './lenses.ts';
import { notify } from './notify.ts';
import { runTest } from './run-test.ts';

interface CommandOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly program: readonly string[];
  redact(text: string): string;
  folderOf(path: string): string;
  pathOf(uri: string): string | undefined;
  textOf(uri: string): string | undefined;
  /** The tests of an open document. */
  testsOf(uri: string): Promise<readonly CheckedTest[]>;
  /** A test has a new result. */
  onResult(): void;
  readonly client: { readonly canShowProgress: boolean };
}

/** The commands behind the lenses: they answer by messages. */
export class TestCommands {
  private readonly connection: ProtocolConnection;
  private readonly options: CommandOptions;
  private readonly running = new Map<
    string,
    { readonly controller: AbortController; readonly done: Promise<void> }
  >();

  constructor(connection: ProtocolConnection, options: CommandOptions) {
    this.connection = connection;
    this.options = options;
    connection.onNotification(
      'window/workDoneProgress/cancel',
      (params: { readonly token?: unknown } | null) =>
        this.running.get(String(params?.token))?.controller.abort(),
    );
  }

  execute(params: unknown): null {
    const { command, arguments: given } = (params ?? {}) as { command?: unknown; arguments?: unknown };
    const argument = readArgument(Array.isArray(given) ? given[0] : undefined);
    const path = argument === undefined ? undefined : this.options.pathOf(argument.uri);
    if (command !== RUN && command !== SHOW_LAST_RESULT)
      this.show(`unknown command ${String(command)}`, 'error');
    else if (argument === undefined || path === undefined)
      this.show('this command needs a test: { uri, id, line }', 'error');
    else if (command === RUN) this.run(argument, path);
    else void this.showLastResult(argument, path);
    return null;
  }

  /** Ends the tests that are running. */
  async stop(): Promise<void> {
    const all = [...this.running.values()];
    for (const { controller } of all) controller.abort();
    await Promise.all(all.map(({ done }) => done));
  }

  /** Of every test at this line: those of data rows share it. */
  private async showLastResult({ uri, id, line }: TestArgument, path: string): Promise<void> {
    const tests = await this.options.testsOf(uri);
    const here = tests.filter((test) => test.line === line).map((test) => test.id);
    const ids = new Set(here.includes(id) ? here : [id]);
    const root = rootForSuite(path, findProjectRoot(this.options.folderOf(path)));
    this.show(lastResult({ root, file: path, ids }) ?? `${id}: no recent run has a result of this test`);
  }

  private run(argument: TestArgument, path: string): void {
    const { uri, id, line } = argument;
    const text = this.options.textOf(uri);
    const key = `assay ${uri}:${line}`;
    if (!existsSync(path) || (text !== undefined && !isSaved(path, text)))
      return this.show(`${basename(path)} has unsaved changes: save it, then run ${id}`, 'warning');
    if (this.running.has(key)) return this.show(`${id} is already running`);
    const controller = new AbortController();
    const done = this.runToEnd(argument, path, { key, signal: controller.signal }).finally(() =>
      this.running.delete(key),
    );
    this.running.set(key, { controller, done });
  }

  private async runToEnd(
    { id, line }: TestArgument,
    path: string,
    { key, signal }: { readonly key: string; readonly signal: AbortSignal },
  ): Promise<void> {
    const { env, program, onResult } = this.options;
    const progress = await this.startProgress(key, id);
    try {
      const folder = this.options.folderOf(path);
      const onLine = (printed: string): void => {
        this.log(printed);
        progress?.report(printed);
      };
      const outcome = await runTest({ program, env, folder, file: path, line, onLine, signal });
      this.show(`${id} ${outcome}`, outcome === 'passed' ? 'info' : 'warning');
    } catch (error) {
      this.show(`${id} did not run: ${(error as Error).message}`, 'error');
    }
    progress?.end();
    onResult();
  }

  private async startProgress(token: string, id: string) {
    if (!this.options.client.canShowProgress) return undefined;
    const send = (value: object): void => notify(this.connection, '$/progress', { token, value });
    try {
      await this.connection.sendRequest('window/workDoneProgress/create', { token });
    } catch {
      return undefined;
    }
    send({ kind: 'begin', title: `Assay: ${id}`, cancellable: true });
    return {
      report: (message: string) =>
        send({ kind: 'report', message: this.options.redact(message).slice(0, 200) }),
      end: () => send({ kind: 'end' }),
    };
  }

  private show(message: string, type: keyof typeof TYPES = 'info'): void {
    notify(this.connection, 'window/showMessage', {
      type: TYPES[type],
      message: this.options.redact(message),
    });
  }

  private log(message: string): void {
    notify(this.connection, 'window/logMessage', {
      type: MessageType.Log,
      message: this.options.redact(message),
    });
  }
}

const TYPES = { error: MessageType.Error, warning: MessageType.Warning, info: MessageType.Info } as const;
