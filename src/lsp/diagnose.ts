import { DiagnosticSeverity, type Diagnostic, type ProtocolConnection } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Environment } from '../llm/create-model.ts';
import { readSuiteFile } from '../load/read-suite-file.ts';
import type { Finding } from '../model/finding.ts';
import { monotonicMs, startTimer, stopTimer } from '../system-time.ts';
import { checkDocument, type CheckedDocument, type CheckedTest } from './check-document.ts';
import { kindOfDocument } from './document-kind.ts';
import type { Documents } from './documents.ts';
import { baseFolder } from './project.ts';
import { rangeOf } from './text-positions.ts';
import { pathOfUri } from './uri-path.ts';

interface DiagnoserOptions {
  readonly env: Environment;
  folders(): readonly string[];
  redact(text: string): string;
}

/** A pause in typing that is long enough to look. */
const PAUSE_MS = 150;
const LONGEST_PAUSE_MS = 5000;
const MOST_DIAGNOSTICS = 1000;

/** Checks documents after they changed, one at a time, and publishes what is wrong with them and with what they use. */
export class Diagnoser {
  private readonly connection: ProtocolConnection;
  private readonly documents: Documents;
  private readonly options: DiagnoserOptions;
  private readonly timers = new Map<string, NodeJS.Timeout>();
  /** By the document that was checked. */
  private readonly checked = new Map<string, CheckedDocument>();
  private readonly published = new Map<string, string>();
  private queue: Promise<void> = Promise.resolve();
  /** How long the last check of each document took. */
  private readonly lastMs = new Map<string, number>();

  constructor(connection: ProtocolConnection, documents: Documents, options: DiagnoserOptions) {
    this.connection = connection;
    this.documents = documents;
    this.options = options;
  }

  /** The tests of a document, as it was checked last. Waits for a check that is due. */
  async testsOf(uri: string): Promise<readonly CheckedTest[]> {
    if (this.timers.has(uri)) this.startCheck(uri);
    await this.queue;
    return this.checked.get(uri)?.tests ?? [];
  }

  /** Soon, and once for many changes. A document that takes long to check is checked less often. */
  later(uri: string): void {
    stopTimer(this.timers.get(uri));
    this.timers.set(
      uri,
      startTimer(
        () => this.startCheck(uri),
        PAUSE_MS + Math.min(LONGEST_PAUSE_MS, 2 * (this.lastMs.get(uri) ?? 0)),
      ),
    );
  }

  /** All open documents: what they use may have changed. */
  all(): void {
    for (const { uri } of this.documents.all()) this.later(uri);
  }

  forget(uri: string): void {
    stopTimer(this.timers.get(uri));
    this.timers.delete(uri);
    this.checked.delete(uri);
    this.lastMs.delete(uri);
    void this.enqueue(() => this.publishAll());
  }

  close(): void {
    for (const timer of this.timers.values()) stopTimer(timer);
    this.timers.clear();
  }

  /** After everything that is being checked. */
  enqueue<T>(work: () => Promise<T> | T): Promise<T | undefined> {
    const done = this.queue.then(work).catch((error: unknown) => {
      this.log(`a document could not be checked: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    });
    this.queue = done.then(() => undefined);
    return done;
  }

  private startCheck(uri: string): void {
    stopTimer(this.timers.get(uri));
    this.timers.delete(uri);
    void this.enqueue(() => this.check(uri));
  }

  private async check(uri: string): Promise<void> {
    const document = this.documents.get(uri);
    if (document === undefined) return;
    const startMs = monotonicMs();
    const checked = await this.look(document);
    if (checked === undefined) this.checked.delete(uri);
    else this.checked.set(uri, checked);
    this.lastMs.set(uri, monotonicMs() - startMs);
    this.publishAll(uri);
  }

  private async look(document: TextDocument): Promise<CheckedDocument | undefined> {
    const path = this.documents.pathOf(document.uri);
    if (path === undefined) return undefined;
    const kind = kindOfDocument(path, document.getText());
    if (kind === undefined) return undefined;
    enterFolder(baseFolder(path, this.options.folders()));
    return checkDocument({ path, kind, env: this.options.env });
  }

  /** What a document's own check says about it counts; of other files, what the checks of all documents say. */
  private publishAll(checkedUri?: string): void {
    const byFile = new Map<string, Finding[]>();
    for (const [uri, { findings }] of this.checked) {
      for (const finding of findings) {
        const file = this.documents.uriOf(finding.file);
        if (file !== uri && this.checked.has(file)) continue;
        byFile.set(file, [...(byFile.get(file) ?? []), finding]);
      }
    }
    const uris = new Set([...byFile.keys(), ...this.published.keys()]);
    if (checkedUri !== undefined && this.checked.has(checkedUri)) uris.add(checkedUri);
    for (const uri of uris) this.publish(uri, byFile.get(uri) ?? [], uri === checkedUri);
  }

  private publish(uri: string, findings: readonly Finding[], isChecked: boolean): void {
    const document = this.documents.get(uri) ?? documentOnDisk(uri);
    const diagnostics = unique(findings)
      .slice(0, MOST_DIAGNOSTICS)
      .map((finding) => this.diagnosticOf(finding, document));
    const text = JSON.stringify(diagnostics);
    if (this.published.get(uri) === text && !isChecked) return;
    if (diagnostics.length === 0 && !isChecked) this.published.delete(uri);
    else this.published.set(uri, text);
    const open = this.documents.get(uri);
    const version = open === undefined ? {} : { version: open.version };
    void this.connection.sendNotification('textDocument/publishDiagnostics', {
      uri,
      ...version,
      diagnostics,
    });
  }

  private diagnosticOf(finding: Finding, document: TextDocument): Diagnostic {
    const { severity, code, message, hint } = finding;
    return {
      range: rangeOf(finding, document),
      severity: severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
      code,
      source: 'assay',
      message: this.options.redact(hint === undefined ? message : `${message}\n${hint}`),
    };
  }

  private log(message: string): void {
    void this.connection.sendNotification('window/logMessage', {
      type: 1,
      message: this.options.redact(message),
    });
  }
}

/** Paths of findings, and which config applies, depend on the current folder, as on the command line. */
export function enterFolder(folder: string): void {
  try {
    process.chdir(folder);
  } catch {
    // It vanished in between: the folder above it must do.
    process.chdir('/');
  }
}

function documentOnDisk(uri: string): TextDocument {
  const path = pathOfUri(uri);
  const read = path === undefined ? undefined : readSuiteFile(path);
  return TextDocument.create(uri, '', 0, read !== undefined && 'text' in read ? read.text : '');
}

function unique(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}
