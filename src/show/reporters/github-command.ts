import { escapeLine } from './terminal-text.ts';

export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
  /** Relative to the repository. */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** A line that GitHub's runner reads as an annotation. */
export function annotationCommand({ level, file, line, column, title, message }: Annotation): string {
  const shown = message.split('\n').map(escapeLine).join('\n');
  const properties = Object.entries({ file, line, col: column, title })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeProperty(escapeLine(String(value)))}`);
  return `::${level} ${properties.join(',')}::${escapeData(shown)}\n`;
}

/** The runner's escapes: `%`, and what ends a line. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** And, in a property, what ends the property. */
function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
