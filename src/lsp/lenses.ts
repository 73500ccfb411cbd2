import type { CodeLens } from 'vscode-languageserver/node';
import type { CheckedTest } from './check-document.ts';

export const RUN = 'assay.run';
export const SHOW_LAST_RESULT = 'assay.showLastResult';

/** What a lens tells the server when somebody clicks on it. */
export interface TestArgument {
  readonly uri: string;
  readonly id: string;
  readonly line: number;
}

/** More would only slow an editor down. */
const MOST_LENSES = 2000;

/** Two on each test. Tests of rows are at one place: they run together. */
export function lensesOf(uri: string, tests: readonly CheckedTest[]): CodeLens[] {
  const byLine = new Map<number, CheckedTest>();
  for (const test of tests) if (!byLine.has(test.line)) byLine.set(test.line, test);
  return [...byLine.values()].slice(0, MOST_LENSES).flatMap(({ id, line }) => {
    const at = { line: line - 1, character: 0 };
    const argument: TestArgument = { uri, id, line };
    return [
      ['Run', RUN],
      ['Show last result', SHOW_LAST_RESULT],
    ].map(([title, command]) => ({
      range: { start: at, end: at },
      command: { title: title!, command: command!, arguments: [argument] },
    }));
  });
}

/** What a client sent; undefined if it is not what a lens has. */
export function readArgument(value: unknown): TestArgument | undefined {
  const { uri, id, line } = (value ?? {}) as Partial<Record<keyof TestArgument, unknown>>;
  return typeof uri === 'string' && typeof id === 'string' && Number.isSafeInteger(line) && Number(line) > 0
    ? { uri, id, line: Number(line) }
    : undefined;
}
