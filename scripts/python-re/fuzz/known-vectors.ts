import { readFileSync } from 'node:fs';
import type { KnownVectors } from './fuzz-round.ts';

const FIXTURES = new URL('../../../test/fixtures/python-re/', import.meta.url);

/** The patterns and subjects of the fixtures, to be mutated. */
export function knownVectors(): KnownVectors {
  const vectors = ['python-re.json', 'python-re-stdlib.json'].flatMap((name) => {
    const file = JSON.parse(readFileSync(new URL(name, FIXTURES), 'utf8')) as {
      vectors: { pattern: string; subject: string }[];
    };
    return file.vectors;
  });
  return {
    patterns: [...new Set(vectors.map(({ pattern }) => pattern))],
    subjects: [...new Set(vectors.map(({ subject }) => subject))],
  };
}
