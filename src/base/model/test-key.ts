import type { TestName } from './test-map.ts';

/** Names a test of a file, for every target. */
export function testOfFile(file: string, test: string): string {
  return `${file}::${test}`;
}

/** Names a test of one target: in reports, baselines and comparisons. */
export function testKey({ file, test, target }: TestName): string {
  return `${file}::${test}::${target}`;
}

/** Names one attempt at a test; `key` is the key of the test. It is the `id` of the attempt's record. */
export function attemptId(key: string, repeat: number): string {
  return `${key}::${repeat}`;
}

export function splitAttemptId(id: string): { readonly key: string; readonly repeat: number } {
  const end = id.lastIndexOf('::');
  return { key: id.slice(0, end), repeat: Number(id.slice(end + 2)) };
}
