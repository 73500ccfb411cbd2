import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Match } from '../../../src/base/match/python-re/index.ts';

export interface FuzzCase {
  readonly pattern: string;
  readonly subjects: readonly string[];
}

export type Outcome = Match | null | 'out of time' | { readonly error: string };

export type Answer =
  | { readonly error: string; readonly position: number | null }
  | { readonly names: Readonly<Record<string, number>>; readonly results: readonly Outcome[] };

export interface PythonOracle {
  ask(cases: readonly FuzzCase[]): Promise<readonly Answer[]>;
  close(): void;
}

/** One Python process that answers batches in turn. */
export function startPythonOracle(): PythonOracle {
  const script = fileURLToPath(new URL('python-oracle.py', import.meta.url));
  const child = spawn('python3', [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(cases) {
      child.stdin.write(`${JSON.stringify(cases)}\n`);
      const line = await lines.next();
      if (line.done === true) throw new Error('python3 ended before it answered');
      return JSON.parse(line.value) as Answer[];
    },
    close: () => child.stdin.end(),
  };
}
