import type { Finding, Severity } from '../../base/model/finding.ts';
import { groupBy } from '../../base/model/group-by.ts';
import type { Colors } from './colors.ts';
import { escapeLine } from './terminal-text.ts';
import { grouped } from '../../base/model/grouped.ts';

/** This many of one kind in one file are shown. */
const SHOWN_IN_FILE = 3;
const FILES_SHOWN = 3;

/** What differs in messages of one kind: names, values and numbers. */
const NAMES = /`[^`]*`|"[^"]*"|\d+/g;

/** Findings of one kind that were not shown. */
export interface HiddenFindings {
  readonly severity: Severity;
  readonly code: string;
  /** Undefined for several files. */
  readonly file: string | undefined;
  readonly count: number;
  /** How many, and where, in words. */
  readonly text: string;
}

interface Group {
  readonly kind: string;
  readonly severity: Severity;
  readonly code: string;
  readonly file: string;
  shown: number;
  hidden: number;
  firstLine: number;
  lastLine: number;
}

/** Which findings people get to see: a mistake in every row of a file is one mistake. */
export class FindingGroups {
  private readonly mostWarnings: number;
  private readonly groups = new Map<string, Group>();
  private readonly warnings = new Map<string, number>();

  /** `mostWarnings`: of one kind, over all files. */
  constructor({ mostWarnings = Infinity }: { readonly mostWarnings?: number } = {}) {
    this.mostWarnings = mostWarnings;
  }

  /** Whether to show this one. The others are counted. */
  take({ severity, code, message, file, line }: Finding): boolean {
    const kind = JSON.stringify([severity, code, message.replaceAll(NAMES, '…')]);
    const key = `${kind} ${file}`;
    let group = this.groups.get(key);
    if (group === undefined)
      this.groups.set(
        key,
        (group = { kind, severity, code, file, shown: 0, hidden: 0, firstLine: 0, lastLine: 0 }),
      );
    const warnings = severity === 'warning' ? (this.warnings.get(code) ?? 0) : 0;
    if (group.shown < SHOWN_IN_FILE && warnings < this.mostWarnings) {
      group.shown++;
      if (severity === 'warning') this.warnings.set(code, warnings + 1);
      return true;
    }
    if (group.hidden++ === 0) group.firstLine = group.lastLine = line;
    group.firstLine = Math.min(group.firstLine, line);
    group.lastLine = Math.max(group.lastLine, line);
    return false;
  }

  /** Those that were not shown since the last call. */
  hidden(): readonly HiddenFindings[] {
    const groups = [...this.groups.values()].filter(({ hidden }) => hidden > 0);
    const byKind = groupBy(groups, ({ kind }) => kind);
    const found = [...byKind.values()].flatMap((kind) =>
      kind.length > FILES_SHOWN ? [inManyFiles(kind)] : kind.map(inOneFile),
    );
    for (const group of groups) group.hidden = 0;
    return found;
  }
}

function inOneFile({ severity, code, file, hidden, firstLine, lastLine }: Group): HiddenFindings {
  const where = firstLine === lastLine ? `on line ${firstLine}` : `on lines ${firstLine} to ${lastLine}`;
  return {
    severity,
    code,
    file,
    count: hidden,
    text: `${grouped(hidden)} more like this ${where}`,
  };
}

function inManyFiles(kind: readonly Group[]): HiddenFindings {
  const { severity, code } = kind[0]!;
  const count = kind.reduce((sum, { hidden }) => sum + hidden, 0);
  const text = `${grouped(count)} more like this in ${grouped(kind.length)} files`;
  return { severity, code, file: undefined, count, text };
}

export function hiddenText({ severity, code, file, text }: HiddenFindings, colors: Colors): string {
  const label =
    severity === 'error' ? colors.red(colors.bold('error')) : colors.yellow(colors.bold('warning'));
  const place = file === undefined || file === '' ? '' : `${colors.cyan(escapeLine(file))} `;
  return `${place}${label} ${text} ${colors.dim(`(${code})`)}`;
}
