import { DiagnosticSeverity, type Diagnostic, type ProtocolConnection } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Environment } from '../agents/llm/create-model.ts';
import { readSuiteFile } from '../suites/load/read-suite-file.ts';
import { type Finding, eachOnce } from '../base/model/finding.ts';
import { groupBy } from '../base/model/group-by.ts';
import { monotonicMs, startTimer, stopTimer } from '../base/system/system-time.ts';
import { checkDocument, type CheckedDocument, type CheckedTest } from './check-document.ts';
import { kindOfDocument, type DocumentKind } from './document-kind.ts';
import type { Documents } from './documents.ts';
import { baseFolder } from './project.ts';
import { notify } from './notify.ts';
import { rangeOf } from './text-positions.ts';
import { pathOfUri } from './uri-path.ts';
import { WorkQueue, type Urgency } from './work-queue.ts';

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
  /** By the path of a file: what the check of each document says about it. */
  private readonly found = new Map<string, Map<string, readonly Finding[]>>();
  /** By the path of a file: what the editor shows, and under which name. */
  private readonly published = new Map<string, { readonly uri: string; readonly text: string }>();
  private readonly queue = new WorkQueue();
  private readonly due = new Map<string, { readonly urgency: Urgency; readonly done: Promise<void> }>();
  /** Documents with a check that has time and has not begun: another one would find the same. */
  private readonly waiting = new Set<string>();
  /** Documents with changes that were not checked yet. */
  private readonly edited = new Set<string>();
  /** How long the last check of each document took. */
  private readonly lastMs = new Map<string, number>();

  constructor(connection: ProtocolConnection, documents: Documents, options: DiagnoserOptions) {
    this.connection = connection;
    this.documents = documents;
    this.options = options;
  }

  /** The tests of a document, as it was checked last. Waits for a check that is due. */
  async testsOf(uri: string): Promise<readonly CheckedTest[]> {
    if (this.timers.has(uri) || this.due.get(uri)?.urgency === 'later') this.startCheck(uri, 'now');
    await this.due.get(uri)?.done;
    return this.checked.get(uri)?.tests ?? [];
  }

  /** The editor has another text of a document. */
  changed(uri: string): void {
    this.edited.add(uri);
    this.later(uri);
  }

  /** Soon, and once for many changes. A document that takes long to check is checked less often. */
  later(uri: string, urgency: Urgency = 'now'): void {
    stopTimer(this.timers.get(uri));
    this.timers.set(
      uri,
      startTimer(
        () => this.startCheck(uri, urgency),
        PAUSE_MS + Math.min(LONGEST_PAUSE_MS, this.lastMs.get(uri) ?? 0),
      ),
    );
  }

  /** All open documents, or all but one: what they use may have changed. */
  all(except?: string): void {
    for (const { uri } of this.documents.all())
      if (uri !== except) this.later(uri, this.timers.has(uri) ? 'now' : 'later');
  }

  forget(uri: string): void {
    stopTimer(this.timers.get(uri));
    this.timers.delete(uri);
    this.lastMs.delete(uri);
    this.edited.delete(uri);
    const path = pathOfUri(uri);
    void this.enqueue(() => {
      for (const file of this.replace(uri, undefined)) this.publish(file);
      if (path !== undefined) this.publish(path);
    });
  }

  close(): void {
    for (const timer of this.timers.values()) stopTimer(timer);
    this.timers.clear();
  }

  /** After what is being checked now. */
  enqueue<T>(work: () => Promise<T> | T, urgency: Urgency = 'now'): Promise<T | undefined> {
    const onError = (error: unknown): void =>
      this.log(`a document could not be checked: ${error instanceof Error ? error.message : String(error)}`);
    return this.queue.add(work, { urgency, onError });
  }

  private startCheck(uri: string, urgency: Urgency): void {
    stopTimer(this.timers.get(uri));
    this.timers.delete(uri);
    if (urgency === 'later') {
      if (this.waiting.has(uri)) return;
      this.waiting.add(uri);
    }
    const done = this.enqueue(() => this.check(uri, urgency), urgency).then(() => {
      if (this.due.get(uri)?.done === done) this.due.delete(uri);
    });
    this.due.set(uri, { urgency, done });
  }

  private async check(uri: string, urgency: Urgency): Promise<void> {
    if (urgency === 'later') this.waiting.delete(uri);
    const document = this.documents.get(uri);
    if (document === undefined) return;
    const wasEdited = this.edited.delete(uri);
    const startMs = monotonicMs();
    const { kind, checked } = await this.look(document);
    // It was closed in between.
    if (this.documents.get(uri) === undefined) return;
    const files = this.replace(uri, checked);
    this.lastMs.set(uri, monotonicMs() - startMs);
    const path = this.documents.pathOf(uri);
    for (const file of files) if (file !== path) this.publish(file);
    if (path !== undefined && (checked !== undefined || files.has(path))) this.publish(path, checked && uri);
    // Suites use configs, sidecars and row files as they are in the editor.
    if (wasEdited && !SUITES.has(kind)) this.all(uri);
  }

  private async look(document: TextDocument): Promise<Look> {
    const path = this.documents.pathOf(document.uri);
    const kind = path === undefined ? undefined : kindOfDocument(path, document.getText());
    if (path === undefined || kind === undefined) return {};
    enterFolder(baseFolder(path, this.options.folders()));
    return { kind, checked: await checkDocument({ path, kind, env: this.options.env }) };
  }

  /** Keeps what a check found in the place of what it found before. Returns the files that either is about. */
  private replace(uri: string, checked: CheckedDocument | undefined): ReadonlySet<string> {
    const files = new Set<string>();
    for (const { file } of this.checked.get(uri)?.findings ?? []) {
      files.add(file);
      this.found.get(file)?.delete(uri);
    }
    if (checked === undefined) this.checked.delete(uri);
    else this.checked.set(uri, checked);
    for (const [file, findings] of groupBy(checked?.findings ?? [], (finding) => finding.file)) {
      files.add(file);
      const all = this.found.get(file) ?? new Map<string, readonly Finding[]>();
      this.found.set(file, all.set(uri, findings));
    }
    for (const file of files) if (this.found.get(file)?.size === 0) this.found.delete(file);
    return files;
  }

  /** What a document's own check says about it counts; of other files, what the checks of all documents say. */
  private publish(path: string, checkedUri?: string): void {
    const uri = this.documents.uriOf(path);
    const all = this.found.get(path);
    const findings = this.checked.has(uri) ? (all?.get(uri) ?? []) : [...(all?.values() ?? [])].flat();
    const document = this.documents.get(uri) ?? documentOnDisk(uri);
    const diagnostics = eachOnce(findings)
      .slice(0, MOST_DIAGNOSTICS)
      .map((finding) => this.diagnosticOf(finding, document));
    const before = this.published.get(path);
    if (before !== undefined && before.uri !== uri) this.send(before.uri, []);
    const text = JSON.stringify(diagnostics);
    const isKnown = before?.uri === uri ? before.text === text : diagnostics.length === 0;
    if (diagnostics.length === 0) this.published.delete(path);
    else this.published.set(path, { uri, text });
    if (!isKnown || checkedUri !== undefined) this.send(uri, diagnostics);
  }

  private send(uri: string, diagnostics: readonly Diagnostic[]): void {
    const open = this.documents.get(uri);
    const version = open === undefined ? {} : { version: open.version };
    notify(this.connection, 'textDocument/publishDiagnostics', { uri, ...version, diagnostics });
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
    notify(this.connection, 'window/logMessage', {
      type: 1,
      message: this.options.redact(message),
    });
  }
}

interface Look {
  readonly kind?: DocumentKind;
  readonly checked?: CheckedDocument;
}

const SUITES: ReadonlySet<DocumentKind | undefined> = new Set<DocumentKind>(['eval', 'steps', 'dataset']);

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
