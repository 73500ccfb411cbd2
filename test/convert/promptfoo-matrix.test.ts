import { describe, expect, test } from 'vitest';
import { runCli } from '../project.ts';
import { convertPromptfooIn, runConverted } from './convert-promptfoo-in.ts';

const inputsIn = async (cwd: string): Promise<readonly string[]> => {
  const { stdout } = await runCli(['show', 'out.eval.yaml', '--json'], { cwd });
  const { suites } = JSON.parse(stdout) as {
    readonly suites: readonly { readonly tests: readonly { readonly steps: readonly [Step] }[] }[];
  };
  return suites[0]!.tests.map(({ steps }) => steps[0].input_messages[0].content);
};
interface Step {
  readonly input_messages: readonly [{ readonly content: string }];
}

describe('a matrix of promptfoo', () => {
  test('prompts, tests and lists of values become rows, not copies', async () => {
    const { cwd, suite } = await convertPromptfooIn({
      'promptfooconfig.yaml': `
prompts: ['Say {{word}} in {{language}}', 'Shout {{word}}!']
providers: [echo]
defaultTest: {vars: {language: French}, assert: [{type: icontains, value: '{{word}}'}]}
tests:
  - vars: {word: [hi, hey, yo]}
  - vars: {word: bye, language: [German, Greek]}
`,
    });
    expect(suite.match(/^ {2}- id:/gm)).toHaveLength(2);
    expect(suite.match(/^ {4}evaluators:/gm)).toHaveLength(2);
    expect(await inputsIn(cwd)).toEqual([
      'Say hi in French',
      'Say hey in French',
      'Say yo in French',
      'Say bye in German',
      'Say bye in Greek',
      'Shout hi!',
      'Shout hey!',
      'Shout yo!',
      'Shout bye!',
      'Shout bye!',
    ]);
    expect(Object.values(await runConverted(cwd))).toEqual(Array.from({ length: 10 }, () => 'passed'));
  });

  test('tests with their own checks have a row for each prompt, and braces in them stay text', async () => {
    const { cwd, suite } = await convertPromptfooIn({
      'promptfooconfig.yaml': `
prompts: ['Say {{word}}', 'Shout {{word}}']
providers: [echo]
tests:
  - {description: one, vars: {word: '{ {x} }'}, assert: [{type: contains, value: 'Say'}]}
  - {description: two, vars: {word: b}, assert: [{type: contains, value: b}, {type: not-contains, value: '{% raw %}{{no}}{% endraw %}'}]}
`,
    });
    expect(suite.match(/^ {2}- id:/gm)).toHaveLength(2);
    expect(await inputsIn(cwd)).toEqual(['Say { {x} }', 'Shout { {x} }', 'Say b', 'Shout b']);
    expect(await runConverted(cwd)).toMatchObject({
      'one / prompt 1': 'passed',
      'one / prompt 2': 'failed',
      'two / prompt 1': 'passed',
    });
  });

  test('a test that lost its main check is skipped with the reason', async () => {
    const { cwd, suite } = await convertPromptfooIn({
      'promptfooconfig.yaml': `
prompts: ['Say {{word}}']
providers: [echo]
defaultTest: {assert: [{type: latency, threshold: 60000}]}
tests:
  - {description: only latency is left, vars: {word: a}, assert: [{type: similar, value: a}]}
  - {description: a set of them, vars: {word: b}, assert: [{type: moderation}, {type: assert-set, assert: [{type: cost, threshold: 1}]}]}
  - {description: what it must not say, vars: {word: c}, assert: [{type: ruby, value: x}, {type: not-contains, value: z}]}
  - {description: another check is left, vars: {word: d}, assert: [{type: similar, value: a}, {type: contains, value: d}]}
  - {description: latency alone is what promptfoo checks, vars: {word: e}}
`,
    });
    expect(suite).toContain(
      "skip: 'its main check (similar) is not converted, and the rest does not say what a good answer is'",
    );
    expect(await runConverted(cwd)).toEqual({
      'only latency is left': 'skipped',
      'a set of them': 'skipped',
      'what it must not say': 'skipped',
      'another check is left': 'passed',
      'latency alone is what promptfoo checks': 'passed',
    });
  });
});

test('a CSV with `__expected` columns means what it means to promptfoo', async () => {
  const { suite, stderr } = await convertPromptfooIn(
    {
      'table.csv': `question,__expected,__expected1,__expected2,__description,__metric,__threshold,__prefix,__suffix,__metadata:area
a,plain text,,,bare,,,,,x
b,contains: 4,"icontains-any: x, y",not-contains: z,prefixes,,,,,
c,is-json,regex: ^a,starts-with:b,more,,,,,
d,grade: is kind,llm-rubric:is short,,judged,,,,,
e,fn: output.length > 1,python: len(output) > 1,,code,,,,,
f,cost(0.01),latency(500),equals: x,limits,speed,,,,
g,contains: a,contains: b,,scored,,0.5,Please:,!,
h,similar(0.8): x,latency(10),,lost,,,,,
i,,,,nothing,,,,,
`,
    },
    { file: 'table.csv' },
  );
  expect(stderr).toContain('table.csv:9:1 error the assertion similar is not converted');
  const has = (...lines: readonly string[]): void => expect(suite).toContain(lines.join('\n'));
  has(
    '  - id: bare',
    '    input: a',
    '    evaluators:',
    '      - { type: equals, value: plain text }',
    '    metadata:',
    '      area: x',
  );
  has(
    "      - { type: contains, value: '4' }",
    "      - { type: icontains_any, value: [x, 'y'], lowercase: true }",
    '      - { type: contains, value: z, negate: true }',
  );
  has(
    '      - { type: is_json }',
    "      - { type: regex, value: '^a', dialect: js }",
    '      - { type: starts_with, value: b }',
  );
  expect(suite.match(/type: rubric/g)).toHaveLength(2);
  has(
    "      - { type: './table.checks.mjs#check_1', yields: true }",
    "      - { type: './table.checks.py#check_1', yields: true }",
  );
  has(
    '      - { type: cost, name: speed, budget: 0.01 }',
    "      - { type: latency, name: 'speed#2', threshold: 500 }",
  );
  has("    input: 'Please:g!'", '    threshold: 0.5');
  expect(suite).toMatch(/id: lost\n {4}input: h\n {4}skip: .*main check \(similar\)/);
  expect(suite).toMatch(/id: nothing\n {4}input: i\n {4}skip: nothing to check yet/);
});
