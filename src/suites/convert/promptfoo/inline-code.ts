/** Inline JavaScript of promptfoo as the body of a function: one line is an expression, several lines return. */
export function functionBody(code: string): string {
  const trimmed = code.trimEnd();
  if (trimmed.includes('\n')) return trimmed;
  const line = trimmed.trim().replace(/;+$/, '');
  if (!/^(?:const|let|var)\s/.test(line)) return `return ${line}`;
  const last = lastStatement(line);
  return last === undefined ? line : `${line.slice(0, last)} return ${line.slice(last).trim()}`;
}

/** Where the last statement starts; semicolons in texts do not count. */
function lastStatement(code: string): number | undefined {
  let last: number | undefined;
  for (const match of code.matchAll(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|;/g))
    if (match[0] === ';') last = match.index + 1;
  return last !== undefined && code.slice(last).trim() !== '' ? last : undefined;
}

/** Why a body cannot stand in a module: one mistake would break every other function in it. Nothing is executed. */
export function syntaxProblem(body: string): string | undefined {
  try {
    // oxlint-disable-next-line no-new-func, no-implied-eval -- It is compiled only.
    void new Function('output', 'context', 'process', `"use strict";\n${body}\n`);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

export function indent(text: string, margin: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? line : margin + line))
    .join('\n');
}
