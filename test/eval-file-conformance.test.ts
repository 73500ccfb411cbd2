import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseSuite } from '../src/suites/load/parse-suite.ts';
import type { Finding } from '../src/base/model/finding.ts';
import type { Suite } from '../src/base/model/suite.ts';

interface Vector {
  readonly id: string;
  readonly format: 'yaml' | 'jsonl';
  readonly text: string;
  readonly expect: {
    readonly cases: readonly { id: string; input_messages: unknown; expected_messages: unknown }[];
    readonly problems: readonly { severity: string; at: string; code: string }[];
  };
}

const { vectors } = JSON.parse(
  readFileSync(new URL('fixtures/eval-files.json', import.meta.url), 'utf8'),
) as { vectors: Vector[] };

describe('eval files and datasets', () => {
  for (const vector of vectors) {
    test(vector.id, () => {
      const { suite, findings } = parseSuite({ path: `suite.${vector.format}`, text: vector.text });
      const { cases, problems } = vector.expect;
      for (const problem of problems)
        expect(findings.map((finding) => describeFinding(finding, suite, vector))).toContainEqual(
          expectedFinding(problem),
        );
      const expectsErrors = problems.some(({ severity }) => severity === 'error');
      if (!expectsErrors) expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
      if (expectsErrors && cases.length === 0) return;
      expect(
        suite?.tests.map(({ id, input_messages, expected_messages }) => ({
          id,
          input_messages,
          expected_messages,
        })),
      ).toEqual(cases);
    });
  }
});

/** Where a vector says a problem is: `line 3`, `file`, `evalcases[0]`, or a field of the case with some id. */
function expectedFinding({ severity, at }: { severity: string; at: string }): unknown {
  const line = /^line (\d+)$/.exec(at);
  if (line !== null) return expect.objectContaining({ severity, line: Number(line[1]) });
  if (at === 'file') return expect.objectContaining({ severity });
  const [, field] = /^(?:test|a)\.(.*)$/.exec(at) ?? [];
  return expect.objectContaining({ severity, place: field ?? at });
}

function describeFinding(
  { severity, line, path }: Finding,
  _suite: Suite | undefined,
  { format }: Vector,
): unknown {
  const inCase = format === 'yaml' ? path.replace(/^evalcases\[\d+\]\./, '') : path;
  return { severity, line, place: inCase };
}
