import { describe, expect, test } from 'vitest';
import { convertPromptfooIn, runConverted } from './convert-promptfoo-in.ts';

interface Checked {
  readonly assert: string;
  readonly passes: string;
  readonly fails: string;
}

/** Each assertion with an output that passes it and one that does not; `echo` answers with the prompt. */
const CHECKED: readonly Checked[] = [
  { assert: '{type: icontains-any, value: [yes, sure]}', passes: 'YES!', fails: 'no' },
  { assert: '{type: icontains-all, value: [yes, sir]}', passes: 'Yes, SIR', fails: 'yes' },
  { assert: '{type: not-icontains-any, value: [yes, sure]}', passes: 'no', fails: 'Sure' },
  { assert: '{type: equals, value: Hi}', passes: 'Hi', fails: 'Hi ' },
  { assert: '{type: not-equals, value: Hi}', passes: 'hi', fails: 'Hi' },
  { assert: '{type: equals, value: 7}', passes: '7', fails: '7.0' },
  { assert: '{type: equals, value: {b: [1], a: 2}}', passes: '{"a":2,"b":[1]}', fails: '{"a":2,"b":[2]}' },
  { assert: '{type: not-equals, value: [1]}', passes: 'no JSON', fails: '[1]' },
  { assert: '{type: contains, value: Oslo}', passes: 'in Oslo', fails: 'in oslo' },
  { assert: '{type: not-contains, value: Oslo}', passes: 'in Rome', fails: 'in Oslo' },
  { assert: '{type: contains, value: 42}', passes: 'is 42', fails: 'is 4' },
  { assert: '{type: icontains, value: OSLO}', passes: 'in Oslo', fails: 'in Rome' },
  { assert: '{type: not-icontains, value: OSLO}', passes: 'in Rome', fails: 'in Oslo' },
  { assert: '{type: contains-any, value: [a1, b1]}', passes: 'b1', fails: 'c1' },
  { assert: `{type: contains-any, value: '"x, y",z1'}`, passes: 'z1', fails: 'x' },
  { assert: '{type: not-contains-any, value: [a1, b1]}', passes: 'c1', fails: 'a1' },
  { assert: '{type: contains-all, value: [1, b1]}', passes: 'b1 1', fails: 'b2' },
  { assert: '{type: contains-all, value: "a1, b1"}', passes: 'b1 a1', fails: 'a1' },
  { assert: '{type: not-contains-all, value: [a1, b1]}', passes: 'a1', fails: 'a1 b1' },
  { assert: '{type: starts-with, value: Dear}', passes: 'Dear Ada', fails: 'dear Ada' },
  { assert: '{type: not-starts-with, value: Dear}', passes: 'Hi', fails: 'Dear' },
  { assert: String.raw`{type: regex, value: '^\d+(?<unit>kg)$'}`, passes: '12kg', fails: '12 kg' },
  { assert: String.raw`{type: not-regex, value: '\d'}`, passes: 'none', fails: 'n1' },
  { assert: '{type: is-json}', passes: '{"a":1}', fails: '{a:1}' },
  { assert: '{type: not-is-json}', passes: 'text', fails: '[]' },
  {
    assert: '{type: is-json, value: {type: object, required: [a]}}',
    passes: '{"a":1}',
    fails: '{"b":1}',
  },
  {
    assert: '{type: not-is-json, value: {type: object, required: [a]}}',
    passes: '{"b":1}',
    fails: '{"a":1}',
  },
  { assert: '{type: word-count, value: 2}', passes: ' two words ', fails: 'one' },
  { assert: '{type: word-count, value: {min: 2, max: 3}}', passes: 'a b c', fails: 'a b c d' },
  { assert: '{type: word-count, value: {max: 1}}', passes: 'a', fails: 'a b' },
  { assert: '{type: word-count, value: {min: 2}}', passes: 'a b c', fails: 'a' },
  { assert: '{type: not-word-count, value: 1}', passes: 'a b', fails: 'a' },
  {
    assert: '{type: assert-set, assert: [{type: contains, value: a}, {type: contains, value: b}]}',
    passes: 'ab',
    fails: 'a',
  },
  {
    assert:
      '{type: assert-set, threshold: 0.6, assert: [{type: contains, value: a, weight: 3}, {type: contains, value: b}]}',
    passes: 'a',
    fails: 'b',
  },
];

const authoredTest = (id: string, { assert, out }: { assert: string; out: string }): string =>
  `  - {description: ${id}, vars: {out: ${JSON.stringify(out)}}, assert: [${assert}]}\n`;

describe('assertions of promptfoo', () => {
  test('each one passes and fails as in promptfoo', async () => {
    const tests = CHECKED.flatMap(({ assert, passes, fails }, index) => [
      authoredTest(`p${index}`, { assert, out: passes }),
      authoredTest(`f${index}`, { assert, out: fails }),
    ]);
    const converted = await convertPromptfooIn({
      'promptfooconfig.yaml': `prompts: ['{{out}}']\nproviders: [echo]\ntests:\n${tests.join('')}`,
    });
    expect(converted.stderr).toMatch(/^✓ promptfooconfig\.yaml \(a promptfoo config\): 68 tests in /);
    const verdicts = await runConverted(converted.cwd);
    const wrong = CHECKED.filter(
      (_, index) => verdicts[`p${index}`] !== 'passed' || verdicts[`f${index}`] !== 'failed',
    );
    expect(wrong).toEqual([]);
  });

  test("a test's threshold applies to its scores; without one, everything must pass", async () => {
    const { cwd, suite } = await convertPromptfooIn({
      'promptfooconfig.yaml': `
prompts: ['{{out}}']
providers: [echo]
defaultTest: {vars: {out: a}}
tests:
  - {description: all, assert: [{type: contains, value: a}, {type: contains, value: z}]}
  - {description: half, threshold: 0.5, assert: [{type: contains, value: a}, {type: contains, value: z}]}
  - {description: weights, threshold: 0.75, assert: [{type: contains, value: a, weight: 3}, {type: contains, value: z}]}
  - {description: less, threshold: 0.76, assert: [{type: contains, value: a, weight: 3}, {type: contains, value: z}]}
  - description: set beside another
    assert:
      - {type: assert-set, threshold: 0.5, assert: [{type: contains, value: a}, {type: contains, value: z}]}
      - {type: contains, value: y}
  - {description: zero, assert: [{type: contains, value: a}, {type: contains, value: z, weight: 0, metric: extra}]}
  - {description: zero set, assert: [{type: contains, value: a}, {type: assert-set, weight: 0, assert: [{type: contains, value: z}]}]}
  - {description: scored zero set, threshold: 1, assert: [{type: contains, value: a}, {type: assert-set, weight: 0, assert: [{type: contains, value: z}]}]}
`,
    });
    expect(await runConverted(cwd)).toEqual({
      all: 'failed',
      half: 'passed',
      weights: 'passed',
      less: 'failed',
      'set beside another': 'failed',
      zero: 'passed',
      'zero set': 'failed',
      'scored zero set': 'passed',
    });
    expect(suite).toContain('{ type: contains, name: extra, value: z, weight: 0 }');
  });

  test('names of tools with wildcards are patterns there, and are not converted', async () => {
    const { suite, stderr, exitCode } = await convertPromptfooIn({
      'promptfooconfig.yaml': `
prompts: [Hi]
providers: [openai:chat:gpt-5-mini]
tests:
  - assert:
      - {type: contains, value: Hi}
      - {type: not-trajectory:tool-used, value: 'delete*'}
      - {type: trajectory:tool-used, value: {name: 'sear?h'}}
      - {type: trajectory:tool-sequence, value: [a, 'b*']}
      - {type: trajectory:tool-args-match, value: {name: 'c*', args: {id: 1}}}
`,
    });
    expect(exitCode).toBe(2);
    expect(
      stderr.match(/a pattern of tool names has no counterpart: name the tools \(not_converted\)/g),
    ).toHaveLength(4);
    expect(suite).not.toContain('type: tool_trajectory');
  });

  test('latency and cost are limits; a cost that nobody reports is an error, not a pass', async () => {
    const { cwd } = await convertPromptfooIn({
      'provider.cjs':
        'module.exports = class { async callApi(prompt) { return { output: prompt, ...(prompt === "free" ? {} : { cost: 0.002 }) } } }',
      'promptfooconfig.yaml': `
prompts: ['{{out}}']
providers: [file://provider.cjs]
tests:
  - {description: in time, vars: {out: a}, assert: [{type: latency, threshold: 60000}]}
  - {description: cheap, vars: {out: a}, assert: [{type: cost, threshold: 0.01}]}
  - {description: dear, vars: {out: a}, assert: [{type: cost, threshold: 0.001}]}
  - {description: not cheap, vars: {out: a}, assert: [{type: not-cost, threshold: 0.001}]}
  - {description: unknown, vars: {out: free}, assert: [{type: cost, threshold: 0.01}]}
`,
    });
    expect(await runConverted(cwd)).toEqual({
      'in time': 'passed',
      cheap: 'passed',
      dear: 'failed',
      'not cheap': 'passed',
      unknown: 'error',
    });
  });

  test('sentences for a judge become rubrics, and trajectories become tool_trajectory', async () => {
    const { suite, exitCode } = await convertPromptfooIn({
      'promptfooconfig.yaml': `
prompts: ['{{q}}']
providers: [openai:chat:gpt-5-mini]
defaultTest: {options: {provider: anthropic:messages:claude-sonnet-4-5}}
tests:
  - vars: {q: Hi, who: Ada}
    assert:
      - {type: llm-rubric, value: 'Greets {{who}}'}
      - {type: llm-rubric, value: Is short, threshold: 0.75, weight: 2, metric: brevity}
      - {type: g-eval, value: [Is polite, Is kind]}
      - {type: trajectory:tool-used, value: [search]}
      - {type: not-trajectory:tool-used, value: delete}
      - {type: trajectory:tool-used, value: {name: search, min: 2, max: 3}}
      - {type: trajectory:tool-sequence, value: {mode: exact, steps: [search, {name: book}]}}
      - {type: trajectory:tool-args-match, value: {name: book, args: {id: 1}}}
`,
    });
    expect(exitCode).toBe(0);
    expect(suite.slice(suite.indexOf('    evaluators:'))).toBe(`    evaluators:
      - { type: rubric, rubrics: [Greets Ada], required: 1 }
      - type: rubric
        name: brevity
        rubrics:
          - id: rubric-1
            score_ranges:
              '0': 'This does not hold: Is short'
              '8': Is short
            required_min_score: 8
        required: 0.75
        weight: 2
      - type: rubric
        rubrics:
          - id: rubric-1
            score_ranges:
              '0': 'This does not hold: Is polite'
              '7': Is polite
            required_min_score: 7
          - id: rubric-2
            score_ranges:
              '0': 'This does not hold: Is kind'
              '7': Is kind
            required_min_score: 7
        required: 0.7
      - type: tool_trajectory
        minimums:
          search: 1
        ignore_case: true
        required: 1
      - { type: tool_trajectory, forbidden: [delete], ignore_case: true, required: 1 }
      - type: tool_trajectory
        minimums:
          search: 2
        maximums:
          search: 3
        ignore_case: true
        required: 1
      - type: tool_trajectory
        mode: exact
        expected:
          - { tool: search }
          - { tool: book }
        ignore_case: true
        required: 1
      - type: tool_trajectory
        mode: any_order
        expected:
          - tool: book
            args:
              id: 1
            args_match: deep_partial
        ignore_case: true
        required: 1
`);
  });

  test('every other type is reported at its place, and its test does not run without a check', async () => {
    const types = [
      'contains-json levenshtein similar similar:dot is-xml is-sql is-html contains-html bleu rouge-n meteor',
      'factuality answer-relevance context-recall is-refusal tool-call-f1 finish-reason perplexity moderation',
      'guardrails classifier webhook ruby skill-used trace-span-count pi not-llm-rubric select-best human no-such-type',
    ].flatMap((line) => line.split(' '));
    const { suite, stderr, exitCode, cwd } = await convertPromptfooIn({
      'promptfooconfig.yaml': `prompts: ['{{out}}']\nproviders: [echo]\ntests:\n${types
        .map((type, index) =>
          authoredTest(`t${index}`, { assert: `{type: ${type}, value: abc}`, out: 'abc' }),
        )
        .join('')}`,
    });
    expect(exitCode).toBe(2);
    for (const [index, type] of types.entries()) {
      expect(stderr).toContain(`promptfooconfig.yaml:${index + 4}:`);
      expect(stderr).toContain(`the assertion ${type} is not converted: `);
      expect(suite).toContain(`# not converted: the assertion ${type}: {`);
    }
    const verdicts = await runConverted(cwd);
    expect(new Set(Object.values(verdicts))).toEqual(new Set(['skipped']));
  });
});
