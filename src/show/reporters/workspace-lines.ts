import type { AttemptRecord } from '../../base/model/record.ts';
import type { Colors } from './colors.ts';
import { escapeLine, escapeShortLine } from './terminal-text.ts';

/** More than this of a diff hides the failure it belongs to. */
const MOST_LINES = 60;

/** What an agent changed in its workspace, and where that is. */
export function workspaceLines(
  { workspace }: Pick<AttemptRecord, 'workspace'>,
  colors: Colors,
): readonly string[] {
  if (workspace === undefined) return [];
  const { changed_files, diff = '', diff_cut, folder, hosts = [], protected_changed } = workspace;
  const label = (name: string, text: string): string => `  ${colors.dim(`${name}:`)} ${text}`;
  const lines = diff.trimEnd().split('\n');
  const shown = diff === '' ? [] : lines.slice(0, MOST_LINES);
  const more = diff === '' ? 0 : lines.length - shown.length;
  const refused = hosts.filter(({ refused: isRefused }) => isRefused === true).map(({ host }) => host);
  return [
    label(
      'changed',
      changed_files === 0 ? 'nothing' : `${changed_files} ${changed_files === 1 ? 'file' : 'files'}`,
    ),
    ...shown.map((line) => `    ${paint(line, colors)}`),
    ...(more > 0 ? [`    ... ${more} more lines`] : []),
    ...(diff_cut === undefined ? [] : [`    ${colors.dim(escapeLine(diff_cut))}`]),
    ...(protected_changed === undefined
      ? []
      : [label('restored', escapeShortLine(protected_changed.join(', ')))]),
    ...(refused.length === 0 ? [] : [label('refused hosts', escapeShortLine(refused.join(', ')))]),
    ...(folder === undefined ? [] : [label('workspace', escapeLine(folder))]),
  ];
}

function paint(line: string, colors: Colors): string {
  const text = escapeShortLine(line);
  if (/^(?:diff |index |\+\+\+ |--- |@@ )/.test(line)) return colors.dim(text);
  if (line.startsWith('+')) return colors.green(text);
  return line.startsWith('-') ? colors.red(text) : text;
}
