import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadYaml } from '../src/suites/formats/yaml/load-yaml.ts';
import { hasErrors } from '../src/base/model/finding.ts';

interface Vector {
  readonly cat: string;
  readonly text?: string;
  readonly text_parts?: readonly (readonly [string, number])[];
  readonly pyyaml?: unknown;
  readonly ok: boolean;
  readonly recommend: string;
}

const vectors = ['fixtures/pyyaml.json', 'fixtures/pyyaml-line-breaks.json'].flatMap((fixture) => {
  const recorded = JSON.parse(readFileSync(new URL(fixture, import.meta.url), 'utf8')) as {
    vectors: Vector[];
  };
  return recorded.vectors;
});

describe('YAML as PyYAML reads it', () => {
  for (const [index, vector] of vectors.entries()) {
    test(`${index} ${vector.cat}: ${JSON.stringify(textOf(vector)).slice(0, 70)}`, () => {
      const { value, findings } = loadYaml(textOf(vector), { scalars: 'pyyaml' });
      const { recommend } = vector;
      if (recommend.startsWith('refuse') && !recommend.startsWith('refuse or value')) {
        expect(hasErrors(findings)).toBe(true);
        expect(findings[0]!.line).toBeGreaterThan(0);
      } else if (recommend.startsWith('value') || recommend.startsWith('source text')) {
        expect(findings.filter((finding) => finding.severity === 'error')).toEqual([]);
        if (isRecord(vector.pyyaml) && '$loads' in vector.pyyaml) return;
        const hasKeysOfOtherTypes = JSON.stringify(vector.pyyaml).includes('"$map"');
        if (hasKeysOfOtherTypes) expect(findings.map((finding) => finding.code)).toContain('non_string_key');
        else expect(value).toEqual(decode(vector.pyyaml, value));
      }
    });
  }
});

function textOf({ text, text_parts = [] }: Vector): string {
  return text ?? text_parts.map(([part, times]) => part.repeat(times)).join('');
}

/** The vectors' spelling of what JSON cannot hold; a date is wanted as the text that `actual` shows. */
function decode(expected: unknown, actual: unknown): unknown {
  if (Array.isArray(expected))
    return expected.map((item, index) => decode(item, (actual as unknown[])?.[index]));
  if (!isRecord(expected)) return expected;
  if ('$int' in expected) return BigInt(expected['$int'] as string);
  if ('$float' in expected) return toFloat(expected['$float'] as string);
  if ('$date' in expected || '$datetime' in expected) return expect.any(String);
  const object: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(expected)) {
    const below = isRecord(actual) ? actual[key] : undefined;
    Object.defineProperty(object, key, { value: decode(value, below), enumerable: true });
  }
  return object;
}

function toFloat(text: string): number {
  return text.endsWith('inf') ? (text.startsWith('-') ? -Infinity : Infinity) : Number(text);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
