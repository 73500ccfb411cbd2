import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseSuite } from '../src/suites/load/parse-suite.ts';

interface Vector {
  readonly name: string;
  readonly file: string;
  readonly content: string | readonly number[];
  readonly want: string;
  readonly phase?: 'load' | 'run';
  readonly reference: { readonly calls?: readonly { input: string; memory: unknown }[] };
}

const { vectors } = JSON.parse(readFileSync(new URL('fixtures/testhaven.json', import.meta.url), 'utf8')) as {
  vectors: Vector[];
};

describe('step tests at load time', () => {
  for (const [index, vector] of vectors.entries()) {
    // Bytes that are not UTF-8 never become text: the file loader refuses them.
    if (typeof vector.content !== 'string') continue;
    test(`${index} ${vector.name}`, () => {
      const { suite, findings } = parseSuite({ path: vector.file, text: vector.content as string });
      const errors = findings.filter(({ severity }) => severity === 'error');
      if (vector.phase === 'load') {
        expect(errors).not.toEqual([]);
        return;
      }
      expect(errors).toEqual([]);
      const [first] = vector.reference.calls ?? [];
      if (first === undefined) return;
      expect(suite?.tests[0]?.steps[0]?.input_messages).toEqual([{ role: 'user', content: first.input }]);
      expect(suite?.tests[0]?.memory ?? {}).toEqual(first.memory);
    });
  }
});
