import {
  MessageType,
  TextDocumentSyncKind,
  type CompletionItem,
  type Hover,
  type InitializeResult,
  type Location,
  type ProtocolConnection,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { editorSchemas, type EditorSchema } from '../suites/config/editor-schemas.ts';
import { targetPlaces } from '../suites/config/target-places.ts';
import type { Environment } from '../agents/llm/create-model.ts';
import { rootForSuite, findProjectRoot } from '../suites/load/project-root.ts';
import type { JsonSchema } from '../base/schema/schema.ts';
import { complete } from './complete.ts';
import { define } from './define.ts';
import { Diagnoser, enterFolder } from './diagnose.ts';
import { kindOfDocument } from './document-kind.ts';
import { Documents } from './documents.ts';
import { hover } from './hover.ts';
import { lensesOf, RUN, SHOW_LAST_RESULT } from './lenses.ts';
import { notify } from './notify.ts';
import { baseFolder, namesIn, toolsOfLastRun } from './project.ts';
import { TestCommands } from './test-commands.ts';
import { Workspace } from './workspace.ts';

export interface ServerOptions {
  readonly env: Environment;
  readonly version: string;
  /** The command line that starts this program. */
  readonly program: readonly string[];
  redact(text: string): string;
  /** The editor has closed its end. */
  readonly gone: Promise<unknown>;
}

interface Positioned {
  readonly textDocument?: { readonly uri?: unknown };
  readonly position?: { readonly line?: unknown; readonly character?: unknown };
}

/** Answers an editor until it says `exit`, or until it is gone. Resolves with the exit code. */
export function serve(connection: ProtocolConnection, options: ServerOptions): Promise<number> {
  return new Promise((resolve) => new LanguageServer(connection, options, resolve).listen());
}

class LanguageServer {
  private readonly connection: ProtocolConnection;
  private readonly options: ServerOptions;
  private readonly workspace: Workspace;
  private readonly documents: Documents;
  private readonly diagnoser: Diagnoser;
  private readonly commands: TestCommands;
  private readonly onEnd: (exitCode: number) => void;
  private readonly schemas = new Map<EditorSchema, JsonSchema>();
  private hasShutDown = false;
  private isOver = false;

  constructor(connection: ProtocolConnection, options: ServerOptions, onEnd: (exitCode: number) => void) {
    this.connection = connection;
    this.options = options;
    this.onEnd = onEnd;
    this.workspace = new Workspace(connection, () => this.diagnoser.all());
    this.documents = new Documents(connection, {
      folder: () => this.workspace.folders[0] ?? process.cwd(),
      onChange: ({ uri }) => this.diagnoser.changed(uri),
      onClose: (uri, { wasSaved }) => {
        this.diagnoser.forget(uri);
        if (!wasSaved) this.diagnoser.all();
      },
    });
    this.diagnoser = new Diagnoser(connection, this.documents, {
      env: options.env,
      folders: () => this.workspace.folders,
      redact: (text) => options.redact(text),
    });
    this.commands = new TestCommands(connection, {
      ...options,
      folderOf: (path) => baseFolder(path, this.workspace.folders),
      textOf: (uri) => this.documents.get(uri)?.getText(),
      testsOf: (uri) => this.diagnoser.testsOf(uri),
      pathOf: (uri) => this.documents.pathOf(uri),
      onResult: () => this.refreshLenses(),
      client: this.workspace,
    });
  }

  listen(): void {
    const { connection } = this;
    connection.onRequest('initialize', (params: unknown) => this.initialize(params));
    connection.onRequest('shutdown', () => {
      this.hasShutDown = true;
      return null;
    });
    connection.onNotification('exit', () => this.end(this.hasShutDown ? 0 : 1));
    void this.options.gone.then(() => this.end(this.hasShutDown ? 0 : 1));
    connection.onError(([error, message]) => {
      // One that could not be sent is not reported: the editor is gone.
      if (message === undefined)
        this.log(`a message from the editor could not be read, and is ignored: ${error.message}`);
    });
    connection.onNotification('initialized', () => this.watchFiles());
    connection.onNotification('textDocument/didSave', () => this.diagnoser.all());
    connection.onNotification('workspace/didChangeWatchedFiles', () => this.diagnoser.all());
    connection.onNotification('workspace/didChangeConfiguration', () => this.diagnoser.all());
    connection.onRequest('textDocument/completion', (params: Positioned) => this.complete(params));
    connection.onRequest('textDocument/hover', (params: Positioned) => this.hover(params));
    connection.onRequest('textDocument/definition', (params: Positioned) => this.define(params));
    connection.onRequest('textDocument/codeLens', async (params: Positioned) => {
      const document = this.documents.get(params?.textDocument?.uri);
      return document === undefined ? [] : lensesOf(document.uri, await this.diagnoser.testsOf(document.uri));
    });
    connection.onRequest('workspace/executeCommand', (params: unknown) => this.commands.execute(params));
    connection.listen();
  }

  private initialize(params: unknown): InitializeResult {
    this.workspace.initialize(params);
    return {
      capabilities: {
        // The default, and the only one that every client knows.
        positionEncoding: 'utf-16',
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        completionProvider: { triggerCharacters: [':', ' ', '.', '/', '"', '-'] },
        hoverProvider: true,
        definitionProvider: true,
        codeLensProvider: { resolveProvider: false },
        executeCommandProvider: { commands: [RUN, SHOW_LAST_RESULT] },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
      serverInfo: { name: 'assay', version: this.options.version },
    };
  }

  private async complete(params: Positioned): Promise<readonly CompletionItem[]> {
    const found = this.placeOf(params);
    if (found === undefined) return [];
    const { document, offset, path, schema } = found;
    const text = document.getText();
    const items = await this.diagnoser.enqueue(async () => {
      const root = this.enterProject(path);
      const targets = await targetPlaces(path);
      const names = {
        targets: [...targets.keys()],
        tools: [...new Set([...namesIn(text, 'tools'), ...toolsOfLastRun(root)])],
        ids: namesIn(text, 'ids'),
        folder: path.replace(/[/\\][^/\\]*$/, ''),
        root,
      };
      return complete({ document, offset, schema, names });
    });
    return items ?? [];
  }

  private hover(params: Positioned): Hover | null {
    const found = this.placeOf(params);
    return found === undefined ? null : (hover(found.document, found.offset, found.schema) ?? null);
  }

  private async define(params: Positioned): Promise<Location | null> {
    const found = this.placeOf(params);
    if (found === undefined) return null;
    const { document, offset, path } = found;
    const location = await this.diagnoser.enqueue(async () => {
      const root = this.enterProject(path);
      return define({ text: document.getText(), offset, path, root, targets: await targetPlaces(path) });
    });
    return location ?? null;
  }

  /** The document, the place in it, and the schema of such documents; undefined if it is not one of ours. */
  private placeOf(params: Positioned) {
    const document = this.documents.get(params?.textDocument?.uri);
    if (document === undefined) return undefined;
    const path = this.documents.pathOf(document.uri);
    const kind = path === undefined ? undefined : kindOfDocument(path, document.getText());
    if (path === undefined || kind === undefined) return undefined;
    return { document, path, offset: offsetIn(document, params), schema: this.schemaOf(kind) };
  }

  /** As on the command line, in the folder of the project. Returns its root. */
  private enterProject(path: string): string {
    enterFolder(baseFolder(path, this.workspace.folders));
    return rootForSuite(path, findProjectRoot(process.cwd()));
  }

  private schemaOf(kind: EditorSchema): JsonSchema {
    if (this.schemas.size === 0)
      for (const [name, schema] of Object.entries(editorSchemas()))
        this.schemas.set(name as EditorSchema, schema);
    return this.schemas.get(kind)!;
  }

  private refreshLenses(): void {
    if (this.workspace.canRefreshLenses) this.ask('workspace/codeLens/refresh');
  }

  /** Configs, row files and prompts may change outside of the editor: by git, or by another program. */
  private watchFiles(): void {
    if (!this.workspace.canWatchFiles) return;
    const registerOptions = { watchers: [{ globPattern: WATCHED }] };
    const method = 'workspace/didChangeWatchedFiles';
    this.ask('client/registerCapability', { registrations: [{ id: 'files', method, registerOptions }] });
  }

  /** A client that does not know the request, or is gone, does without. */
  private ask(method: string, params?: object): void {
    try {
      void this.connection.sendRequest(method, params).catch(() => undefined);
    } catch {
      // The connection is closed.
    }
  }

  private log(message: string): void {
    notify(this.connection, 'window/logMessage', {
      type: MessageType.Warning,
      message: this.options.redact(message),
    });
  }

  private end(exitCode: number): void {
    if (this.isOver) return;
    this.isOver = true;
    this.diagnoser.close();
    void this.commands.stop().then(() => this.onEnd(exitCode));
  }
}

/** What the checks of documents read. */
const WATCHED = '**/*.{yaml,yml,json,jsonl,csv,md,txt}';

/** Any numbers: what is outside of the document is brought back into it. */
function offsetIn(document: TextDocument, { position }: Positioned): number {
  const whole = (value: unknown): number => (Number.isSafeInteger(value) ? Math.max(0, Number(value)) : 0);
  return document.offsetAt({ line: whole(position?.line), character: whole(position?.character) });
}
