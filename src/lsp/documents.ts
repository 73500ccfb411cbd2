import type { ProtocolConnection } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { forgetUnsaved, keepUnsaved } from '../suites/load/unsaved-texts.ts';
import { isSaved } from './is-saved.ts';
import { pathOfUri, untitledPath, uriOfPath } from './uri-path.ts';

interface DocumentEvents {
  /** A folder for documents that have none. */
  folder(): string;
  onChange(document: TextDocument): void;
  /** Others may have used changes that were not saved, and are gone now. */
  onClose(uri: string, state: { readonly wasSaved: boolean }): void;
}

/** The documents that the editor has open. Their texts count instead of those on disk. */
export class Documents {
  private readonly open = new Map<string, TextDocument>();
  /** Clients may write the same path in several ways: what they wrote is kept. */
  private readonly uris = new Map<string, string>();
  private readonly paths = new Map<string, string>();
  private readonly events: DocumentEvents;

  constructor(connection: ProtocolConnection, events: DocumentEvents) {
    this.events = events;
    // The parameters come from any client: what does not have the shape of the protocol is ignored.
    connection.onNotification('textDocument/didOpen', (params: Loose) => this.opened(params));
    connection.onNotification('textDocument/didChange', (params: Loose) => this.changed(params));
    connection.onNotification('textDocument/didClose', (params: Loose) => this.closed(params));
  }

  get(uri: unknown): TextDocument | undefined {
    return typeof uri === 'string' ? this.open.get(uri) : undefined;
  }

  pathOf(uri: string): string | undefined {
    return this.paths.get(uri) ?? pathOfUri(uri);
  }

  uriOf(path: string): string {
    return this.uris.get(path) ?? uriOfPath(path);
  }

  all(): readonly TextDocument[] {
    return [...this.open.values()];
  }

  private opened(params: Loose): void {
    const { uri, languageId = '', version = 0, text } = params?.textDocument ?? {};
    if (typeof uri !== 'string' || typeof text !== 'string') return;
    const path = pathOfUri(uri) ?? untitledPath(uri, String(languageId), this.events.folder());
    if (path !== undefined) {
      this.paths.set(uri, path);
      this.uris.set(path, uri);
    }
    this.keep(TextDocument.create(uri, String(languageId), Number(version), text));
  }

  private changed(params: Loose): void {
    const document = this.get(params?.textDocument?.uri);
    const changes = params?.contentChanges;
    if (document === undefined || !Array.isArray(changes)) return;
    try {
      this.keep(
        TextDocument.update(document, changes, Number(params?.textDocument?.version ?? document.version)),
      );
    } catch {
      // A change outside of what is there: the next one with the whole text mends it.
    }
  }

  private keep(document: TextDocument): void {
    this.open.set(document.uri, document);
    const path = this.paths.get(document.uri);
    if (path !== undefined) keepUnsaved(path, document.getText());
    this.events.onChange(document);
  }

  private closed(params: Loose): void {
    const uri = params?.textDocument?.uri;
    const document = this.get(uri);
    if (typeof uri !== 'string' || document === undefined) return;
    this.open.delete(uri);
    const path = this.paths.get(uri);
    const wasSaved = path !== undefined && isSaved(path, document.getText());
    if (path !== undefined) {
      forgetUnsaved(path);
      this.uris.delete(path);
    }
    this.paths.delete(uri);
    this.events.onClose(uri, { wasSaved });
  }
}

interface LooseDocument {
  readonly uri?: unknown;
  readonly languageId?: unknown;
  readonly version?: unknown;
  readonly text?: unknown;
}

type Loose = { readonly textDocument?: LooseDocument; readonly contentChanges?: unknown } | null | undefined;
