import type { Finding } from '../../base/model/finding.ts';
import { codeFrame, type Excerpt } from './code-frame.ts';
import type { Colors } from './colors.ts';
import { escapeLine } from './terminal-text.ts';

/** A finding for people: where, what, the lines around it, and what to do. */
export function findingText(finding: Finding, excerpt: Excerpt | undefined, colors: Colors): string {
  const { severity, code, message, hint, file, line, column } = finding;
  const label =
    severity === 'error' ? colors.red(colors.bold('error')) : colors.yellow(colors.bold('warning'));
  // Some are about the command line, and have no file.
  const place = file === '' ? '' : `${colors.cyan(`${escapeLine(file)}:${line}:${column}`)} `;
  const parts = [`${place}${label} ${escapeLine(message)} ${colors.dim(`(${code})`)}`];
  if (excerpt !== undefined && excerpt.lines.length > 0) parts.push(codeFrame(excerpt, finding, colors));
  if (hint !== undefined) parts.push(`  ${colors.green('hint:')} ${escapeLine(hint)}`);
  return parts.join('\n');
}
