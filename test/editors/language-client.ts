import { spawn, type ChildProcess } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type CompletionItem,
  type Diagnostic,
  type InitializeParams,
  type InitializeResult,
  type Position,
  type ProtocolConnection,
} from 'vscode-languageserver/node';

interface ServerOptions {
  readonly cwd: string;
  /** What the server gets when it asks for a section of the settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly initialize?: Partial<InitializeParams>;
}

/** A language server in its own process, and a client that speaks the protocol with it over stdio. */
export class LanguageClient {
  readonly child: ChildProcess;
  readonly connection: ProtocolConnection;
  /** What the server said at the beginning. */
  readonly answer: Promise<InitializeResult>;
  /** Every message that the server wanted to be shown or logged. */
  readonly messages: string[] = [];
  /** The methods of all requests from the server. */
  readonly asked: string[] = [];
  stderr = '';
  private readonly diagnostics = new Map<string, Published[]>();
  private readonly waiting = new Set<() => void>();
  private opened = 0;

  constructor(command: readonly string[], { cwd, settings = {}, initialize = {} }: ServerOptions) {
    this.child = spawn(process.execPath, command, { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
    this.child.stderr!.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.connection = createProtocolConnection(
      new StreamMessageReader(this.child.stdout!),
      new StreamMessageWriter(this.child.stdin!),
    );
    this.connection.onNotification('textDocument/publishDiagnostics', (published: Published) => {
      this.diagnostics.set(published.uri, [...(this.diagnostics.get(published.uri) ?? []), published]);
      this.wake();
    });
    for (const method of ['window/showMessage', 'window/logMessage'])
      this.connection.onNotification(method, ({ message }: { message: string }) => {
        this.messages.push(message);
        this.wake();
      });
    for (const method of ASKED)
      this.connection.onRequest(method, (params: { items?: { section?: string }[] } | undefined) => {
        this.asked.push(method);
        return params?.items?.map(({ section = '' }) => settings[section] ?? null) ?? null;
      });
    this.connection.listen();
    const folder = pathToFileURL(cwd).href;
    this.answer = this.connection.sendRequest('initialize', {
      processId: process.pid,
      rootUri: folder,
      workspaceFolders: [{ uri: folder, name: 'project' }],
      capabilities: CAPABILITIES,
      ...initialize,
    });
  }

  async ready(): Promise<InitializeResult> {
    const answer = await this.answer;
    await this.connection.sendNotification('initialized', {});
    return answer;
  }

  /** Opens a document, with a `|` at the cursor if there is one. */
  async open(uri: string, marked: string): Promise<Opened> {
    const at = marked.indexOf('|');
    const before = at === -1 ? '' : marked.slice(0, at);
    const text = at === -1 ? marked : before + marked.slice(at + 1);
    const line = before.split('\n').length - 1;
    const position = { line, character: before.length - before.lastIndexOf('\n') - 1 };
    const languageId = /\.jsonl?$/.test(uri) ? 'json' : 'yaml';
    const textDocument = { uri, languageId, version: 1, text };
    await this.connection.sendNotification('textDocument/didOpen', { textDocument });
    return { textDocument: { uri }, position };
  }

  /** A document of its own for each call: nothing is left of the ones before. */
  async complete(name: string, marked: string): Promise<readonly CompletionItem[]> {
    const opened = await this.open(this.freshUri(name), marked);
    const found: CompletionItem[] | { items: CompletionItem[] } | null = await this.connection.sendRequest(
      'textDocument/completion',
      opened,
    );
    return Array.isArray(found) ? found : (found?.items ?? []);
  }

  async hover(name: string, marked: string): Promise<string> {
    const opened = await this.open(this.freshUri(name), marked);
    const found: { contents: { value: string } } | null = await this.connection.sendRequest(
      'textDocument/hover',
      opened,
    );
    return found?.contents.value ?? '';
  }

  /** What the server says about a new document. */
  async check(name: string, text: string): Promise<readonly Diagnostic[]> {
    const uri = name.startsWith('file:') ? name : this.freshUri(name);
    await this.open(uri, text.replaceAll('|', '\u00A6'));
    return this.nextDiagnostics(uri);
  }

  /** What was published for a document, from a version on. Waits for it. */
  async nextDiagnostics(uri: string, version = 0): Promise<readonly Diagnostic[]> {
    for (;;) {
      const last = this.diagnostics.get(uri)?.findLast((each) => (each.version ?? Infinity) >= version);
      if (last !== undefined) return last.diagnostics;
      await this.next();
    }
  }

  /** How often something was published for a document. */
  publishedCount(uri: string): number {
    return this.diagnostics.get(uri)?.length ?? 0;
  }

  async nextMessage(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = this.messages.find((message) => pattern.test(message));
      if (found !== undefined) return found;
      await this.next();
    }
  }

  /** The exit code, after the client has said goodbye. */
  async end(): Promise<number | null> {
    const ended = new Promise<number | null>((resolve) => this.child.once('exit', resolve));
    if (this.child.exitCode !== null) return this.child.exitCode;
    await this.connection.sendRequest('shutdown');
    await this.connection.sendNotification('exit');
    return ended;
  }

  /** In a folder that does not exist: the name decides which schema applies. */
  freshUri(name: string): string {
    return `file:///nowhere/${++this.opened}/${name}`;
  }

  private next(): Promise<void> {
    return new Promise((resolve) => this.waiting.add(resolve));
  }

  private wake(): void {
    for (const resolve of this.waiting) resolve();
    this.waiting.clear();
  }
}

interface Published {
  readonly uri: string;
  readonly version?: number;
  readonly diagnostics: readonly Diagnostic[];
}

interface Opened {
  readonly textDocument: { readonly uri: string };
  readonly position: Position;
}

const ASKED = [
  'workspace/configuration',
  'workspace/codeLens/refresh',
  'client/registerCapability',
  'window/workDoneProgress/create',
];

const CAPABILITIES = {
  workspace: { configuration: true, workspaceFolders: true, codeLens: { refreshSupport: true } },
  window: { workDoneProgress: true },
  textDocument: {
    completion: { completionItem: { snippetSupport: true, documentationFormat: ['markdown' as const] } },
    hover: { contentFormat: ['markdown' as const] },
  },
};
