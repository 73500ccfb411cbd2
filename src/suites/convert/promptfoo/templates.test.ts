import { describe, expect, test } from 'vitest';
import { fillTemplate, createVariables } from '../../../base/schema/template.ts';
import { parseExpected, splitValues } from './csv-assertions.ts';
import { functionBody, syntaxProblem } from './inline-code.ts';
import { namesOf, parseTemplate, render, toOwnTemplate } from './templates.ts';
import { resolveVariables } from './variables.ts';

const VARS = { a: 'x', o: { k: [1, 'two'] }, t: true, n: null, 'odd key': 1 };

function rendered(text: string): string {
  const template = parseTemplate(text);
  return 'why' in template ? `unsupported: ${template.why}` : render(template, VARS);
}

describe('templates of promptfoo', () => {
  test.each([
    ['plain', 'plain'],
    ['{{a}}{{ a }}', 'xx'],
    ["{{o.k[1]}} {{o['k'][0]}} {{o.k.1}}", 'two 1 two'],
    ['{{o}} {{o.k}} {{t}} {{n}}{{none}}{{none.deep}}', '[object Object] 1,two true '],
    ['{"a": {"b": 1}}', '{"a": {"b": 1}}'],
    ['{{a', '{{a'],
    ['{{ a | upper }}', 'unsupported: it uses Nunjucks beyond plain variables: {{ a | upper }}'],
    ['{{ n + 1 }}', 'unsupported: it uses Nunjucks beyond plain variables: {{ n + 1 }}'],
    ['{{ "{{" }}', 'unsupported: it uses Nunjucks beyond plain variables: {{ "{{" }}'],
    ['{%- if a -%}b{% endif %}', 'unsupported: it uses Nunjucks beyond plain variables: {%- if a -%}'],
    ['{# note #}', 'unsupported: it uses Nunjucks beyond plain variables: {# note #}'],
    ['{{_conversation}}', 'unsupported: `_conversation` (the conversation so far) has no counterpart'],
  ])('%s', (text, expected) => expect(rendered(text)).toBe(expected));

  test.each([
    '{{a}}',
    String.raw`\{{a}}`,
    String.raw`\\{{a}} \{{a`,
    '{{a}} {{o.k[1]}} \\',
    '{{a',
    String.raw`a\\{{`,
  ])('%s means the same in Assay', (text) => {
    const template = parseTemplate(text);
    if ('why' in template) throw new Error(template.why);
    const problems: unknown[] = [];
    const filled = fillTemplate(toOwnTemplate(template), createVariables(VARS), (each) =>
      problems.push(each),
    );
    expect([filled, problems]).toEqual([render(template, VARS), []]);
    expect(namesOf(template).length).toBeLessThan(3);
  });

  test('values contain other values, but not themselves', () => {
    const { values, unusable } = resolveVariables(
      {
        a: '{{b}}!\n',
        b: 'B{{c.d}}',
        c: { d: 1 },
        me: '{{me}}',
        x: '{{y}}',
        y: '{{x}}',
        gone: '{{no}}',
        f: '{{a|upper}}',
        s: '{{late}}',
        e: 'in {{env.CITY}}',
        u: '{{env.HOME}}',
      },
      { stored: new Set(['late']), env: { CITY: 'Oslo' } },
    );
    expect(values).toEqual({
      a: 'B1!',
      b: 'B1',
      c: { d: 1 },
      me: '{{me}}',
      x: '{{x}}',
      y: '{{y}}',
      gone: '{{no}}',
      e: 'in Oslo',
    });
    expect([...unusable.keys()]).toEqual(['f', 's', 'u']);
  });
});

describe('cells of promptfoo', () => {
  test.each([
    ['Paris', { type: 'equals', value: 'Paris' }],
    ['contains: Paris ', { type: 'contains', value: 'Paris' }],
    ['not-icontains:paris', { type: 'not-icontains', value: 'paris' }],
    ['is-json', { type: 'is-json' }],
    ['levenshtein(3): abc', { type: 'levenshtein', value: 'abc', threshold: 3 }],
    ['similar: abc', { type: 'similar', value: 'abc', threshold: 0.8 }],
    ['fn: output > 1', { type: 'javascript', value: 'output > 1' }],
    ['eval:output', { type: 'javascript', value: 'output' }],
    ['grade: polite', { type: 'llm-rubric', value: ' polite' }],
    ['python: len(output)', { type: 'python', value: 'len(output)' }],
    ['file://check.py:f', { type: 'python', value: 'file://check.py:f' }],
    ['file://check.mjs', { type: 'javascript', value: 'file://check.mjs' }],
    ['unknown: x', { type: 'equals', value: 'unknown: x' }],
    ['regex: ^a:b$', { type: 'regex', value: '^a:b$' }],
  ])('%s', (cell, expected) => expect(parseExpected(cell)).toEqual(expected));

  test.each([
    ['a, b ,c', ['a', 'b', 'c']],
    ['"a, b",c', ['a, b', 'c']],
    [String.raw`"a ""b"" \"c\"" , d`, ['a "b" "c"', 'd']],
    [',a,,b,', ['a', 'b']],
    ['"a', undefined],
    ['"a"b', undefined],
  ])('%s', (text, expected) => expect(splitValues(text)).toEqual(expected));
});

describe('inline JavaScript', () => {
  test.each([
    ['output > 1;', 'return output > 1'],
    ["const a = output; a === 'b;c'", "const a = output; return a === 'b;c'"],
    ['let a = 1', 'let a = 1'],
    ['if (a)\n  return 1;\n', 'if (a)\n  return 1;'],
  ])('%s', (code, body) => expect(functionBody(code)).toBe(body));

  test('a body that would end the function around it is refused, and nothing is executed', () => {
    expect(syntaxProblem('return 1')).toBeUndefined();
    expect(syntaxProblem('}); globalThis.wasHere = true; (() => {')).toBeDefined();
    expect(syntaxProblem('globalThis.wasHere = true')).toBeUndefined();
    expect('wasHere' in globalThis).toBe(false);
    expect(syntaxProblem('return 010')).toMatch(/[Oo]ctal/);
  });
});
