import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compile, PatternError, search } from '../../src/base/match/python-re/index.ts';

interface Vector {
  readonly pattern: string;
  readonly subject: string;
  readonly result:
    | 'nomatch'
    | 'error'
    | { start: number; end: number; groups: ([number, number] | null)[]; named?: Record<string, number> };
  readonly error?: string;
}

describe.each(['python-re.json', 'python-re-stdlib.json'])('%s', (name) => {
  const url = new URL(`../fixtures/python-re/${name}`, import.meta.url);
  const { vectors } = JSON.parse(readFileSync(url, 'utf8')) as { vectors: Vector[] };

  it.each(vectors)('$pattern on $subject', (vector) => {
    expect(outcome(vector)).toEqual(vector.error === undefined ? vector.result : { error: vector.error });
  });
});

function outcome({ pattern, subject, result }: Vector): unknown {
  try {
    const compiled = compile(pattern);
    const match = search(compiled, subject);
    if (match === null) return 'nomatch';
    const hasNames = typeof result === 'object' && result.named !== undefined;
    return hasNames ? { ...match, named: Object.fromEntries(compiled.groupNames) } : match;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return { error: error.message };
  }
}
