import type { ExpectedUpdate } from '../api/update-expected/update-expected.ts';
import type { Json } from '../base/model/json.ts';
import { printJson } from '../base/model/print-json.ts';
import type { Colors } from '../show/reporters/colors.ts';
import { escapeLine, escapeShortLine } from '../show/reporters/terminal-text.ts';
import { numbered } from '../base/model/grouped.ts';

/** What `--update` changed and what it did not, for people. */
export function updateText({ updated, notUpdated, problems }: ExpectedUpdate, colors: Colors): string {
  const lines: string[] = [];
  for (const { file, line, name, old, value } of updated)
    lines.push(
      `${colors.green('updated')} ${place(file, line, colors)} ${escapeLine(name)}: ${show(old)} -> ${show(value)}`,
    );
  for (const { file, line, name, reason } of notUpdated)
    lines.push(
      `${colors.yellow('not updated')} ${place(file, line, colors)} ${escapeLine(name)}: ${escapeLine(reason)}`,
    );
  for (const { file, reason } of problems)
    lines.push(`${colors.red('not written')} ${colors.cyan(escapeLine(file))}: ${escapeLine(reason)}`);
  if (updated.length > 0) {
    const files = new Set(updated.map(({ file }) => file)).size;
    lines.push(
      `${numbered(updated.length, 'value')} updated in ${numbered(files, 'file')}: review with \`git diff\`, then run again`,
    );
  } else lines.push('nothing to update');
  return `${lines.join('\n')}\n`;
}

function place(file: string, line: number, colors: Colors): string {
  return colors.cyan(`${escapeLine(file)}:${line}`);
}

function show(value: Json | undefined): string {
  return value === undefined ? 'nothing' : escapeShortLine(printJson(value));
}
