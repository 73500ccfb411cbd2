import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { convertPromptfooIn, runConverted } from './convert-promptfoo-in.ts';

const SCRIPTS = ['--allow-scripts'];

describe('checks in code of a promptfoo config', () => {
  test('inline JavaScript works: expressions, statements, numbers, objects and promises', async () => {
    const { cwd, exitCode, suite } = await convertPromptfooIn({
      'promptfooconfig.yaml': `
prompts: ['{{out}}']
providers: [echo]
defaultTest: {vars: {out: hello, n: 5}}
tests:
  - {description: 'true', assert: [{type: javascript, value: output.length === 5}]}
  - {description: 'false', assert: [{type: javascript, value: output.length === 4}]}
  - {description: not, assert: [{type: not-javascript, value: output.length === 4}]}
  - {description: number, assert: [{type: javascript, value: '0.4'}]}
  - {description: zero, assert: [{type: javascript, value: '0'}]}
  - {description: below, assert: [{type: javascript, value: '0.4', threshold: 0.5}]}
  - {description: object, assert: [{type: javascript, value: "({pass: true, score: 0.25, reason: 'ok'})"}]}
  - {description: promise, assert: [{type: javascript, value: 'Promise.resolve(false)'}]}
  - {description: context, assert: [{type: javascript, value: 'context.vars.n === output.length && context.config.k === 1', config: {k: 1}}]}
  - {description: declared, assert: [{type: javascript, value: "const s = output; s === 'a;b' || s.length === context.vars.n;"}]}
  - description: lines
    assert:
      - type: javascript
        value: |
          if (output.startsWith('{{out}}')) return true;
          return { pass: false, score: 0, reason: 'no' };
  - {description: scored, threshold: 0.7, assert: [{type: javascript, value: '0.5'}, {type: javascript, value: '0.9'}]}
  - {description: scored low, threshold: 0.71, assert: [{type: javascript, value: '0.5'}, {type: javascript, value: '0.9'}]}
  - {description: throws, assert: [{type: javascript, value: nope.nope}]}
  - {description: nothing, assert: [{type: javascript, value: 'null'}]}
  - {description: no reason, assert: [{type: javascript, value: '({pass: true, score: 1})'}]}
  - {description: throws beside a failure, assert: [{type: javascript, value: nope.nope}, {type: contains, value: x}]}
  - {description: throws beside a pass, assert: [{type: javascript, value: nope.nope}, {type: contains, value: h}]}
  - {description: throws turned round, assert: [{type: not-javascript, value: nope.nope}]}
  - {description: python raises beside a failure, assert: [{type: python, value: nope}, {type: contains, value: x}]}
  - {description: provider, assert: [{type: javascript, value: "context.provider.id() === 'echo'"}]}
`,
    });
    expect(exitCode).toBe(0);
    expect(suite).toContain("type: './promptfoo.checks.mjs#check_1'");
    expect(await runConverted(cwd, SCRIPTS)).toEqual({
      true: 'passed',
      false: 'failed',
      not: 'passed',
      number: 'passed',
      zero: 'failed',
      below: 'failed',
      object: 'passed',
      promise: 'failed',
      context: 'passed',
      declared: 'passed',
      lines: 'passed',
      scored: 'passed',
      'scored low': 'failed',
      throws: 'error',
      nothing: 'error',
      // promptfoo takes no result without a reason.
      'no reason': 'error',
      'throws beside a failure': 'failed',
      'throws beside a pass': 'error',
      'throws turned round': 'error',
      'python raises beside a failure': 'failed',
      provider: 'passed',
    });
    expect(new Set(Object.values(await runConverted(cwd)))).not.toContain('passed');
  });

  test('functions in files work, and see what a provider returned besides its text', async () => {
    const { cwd, exitCode } = await convertPromptfooIn({
      'lib/default.cjs':
        'module.exports = (output, { vars }) => output === vars.out;\nmodule.exports.short = (output) => output.length < 3;',
      'lib/named.mjs':
        'export default (output, { config }) => ({ pass: output === config.want, score: 1, reason: "r" });',
      'lib/typed.ts': 'export const long = (output: string): number => output.length / 10;',
      'lib/agent.cjs':
        'module.exports = class { async callApi(p) { return { output: { said: p }, tokenUsage: { total: 30 }, metadata: { trace: "t1" } }; } };',
      'promptfooconfig.yaml': `
prompts: ['{{out}}']
providers: [echo, file://lib/agent.cjs]
defaultTest: {vars: {out: hello}}
tests:
  - {description: default, assert: [{type: javascript, value: file://lib/default.cjs}]}
  - {description: member, assert: [{type: javascript, value: 'file://lib/default.cjs:short'}]}
  - {description: config, assert: [{type: javascript, value: file://lib/named.mjs, config: {want: hello}}]}
  - {description: typed, assert: [{type: javascript, value: 'file://lib/typed.ts:long', threshold: 0.5}]}
  - {description: object, provider: file://lib/agent.cjs, assert: [{type: javascript, value: "output.said === 'hello' && context.providerResponse.tokenUsage.total === 30 && context.metadata.trace === 't1'"}]}
  - {description: gone, assert: [{type: contains, value: hello}]}
`,
    });
    expect(exitCode).toBe(0);
    expect(await runConverted(cwd, [...SCRIPTS, '--target', 'echo', '-t', '^(?!object)'])).toEqual({
      default: 'passed',
      member: 'failed',
      config: 'passed',
      typed: 'passed',
      gone: 'passed',
    });
    // The test that names one provider runs with that one only.
    expect(await runConverted(cwd, [...SCRIPTS, '-t', 'object'])).toEqual({ object: 'passed' });
  });

  test('Python works: expressions, lines and functions in files', async () => {
    const { cwd, exitCode, suite } = await convertPromptfooIn({
      'check.py': `def get_assert(output, context):
    return {"pass": context["vars"]["out"] == output, "score": 0.75, "reason": "same"}

def length(output, context):
    return len(output) / 10
`,
      'promptfooconfig.yaml': `
prompts: ['{{out}}']
providers: [echo]
defaultTest: {vars: {out: hello}}
tests:
  - {description: expression, assert: [{type: python, value: "'ell' in output"}]}
  - {description: negated, assert: [{type: not-python, value: "'ell' in output"}]}
  - {description: file, assert: [{type: python, value: file://check.py}]}
  - {description: member, assert: [{type: python, value: 'file://check.py:length', threshold: 0.6}]}
  - description: lines
    assert:
      - type: python
        value: |
          for letter in output:
              if letter == 'z':
                  return False
          return True
  - {description: broken, assert: [{type: python, value: 'output ='}]}
`,
    });
    expect(exitCode).toBe(0);
    expect(suite).toContain('./promptfoo.checks.py#check_1');
    expect(await runConverted(cwd, SCRIPTS)).toEqual({
      expression: 'passed',
      negated: 'failed',
      file: 'passed',
      member: 'failed',
      lines: 'passed',
      broken: 'error',
    });
  });

  test('code that cannot be read is reported and does not break the other checks', async () => {
    const { cwd, exitCode, stderr, suite } = await convertPromptfooIn({
      'promptfooconfig.yaml': `
prompts: ['{{out}}']
providers: [{id: echo, transform: output.toUpperCase()}]
defaultTest: {vars: {out: hello}}
tests:
  - {description: broken, assert: [{type: javascript, value: '}); process.exit(0); ({'}]}
  - {description: none, assert: [{type: javascript, value: file://gone.js}]}
  - {description: fine, assert: [{type: javascript, value: "output === 'HELLO'"}]}
  - {description: twice, options: {transform: output + '!'}, assert: [{type: equals, value: HELLO!}]}
  - {description: torn, options: {transform: 'throw new Error(1)'}, assert: [{type: contains, value: h}]}
  - {description: one, assert: [{type: contains, value: H, transform: 'output[0]'}, {type: contains, value: E}]}
`,
    });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /promptfooconfig\.yaml:6:\d+ error the assertion javascript is not converted: its JavaScript cannot be read/,
    );
    expect(stderr).toContain('gone.js is not a file of this project');
    expect(stderr).toMatch(
      /promptfooconfig\.yaml:10:\d+ error transform is not converted: its JavaScript cannot be read/,
    );
    expect(stderr).toContain('the transform of a single assertion has no counterpart');
    expect(readFileSync(join(cwd, 'promptfoo.checks.mjs'), 'utf8')).not.toContain('process.exit');
    expect(suite).toContain('skip: transform is not converted');
    expect(await runConverted(cwd, SCRIPTS)).toEqual({
      broken: 'skipped',
      none: 'skipped',
      fine: 'passed',
      twice: 'passed',
      torn: 'skipped',
      one: 'passed',
    });
  });
});

describe('what promptfoo gives to transforms, and how it reads numbers', () => {
  test('transforms see the variables and the template of the prompt', async () => {
    const { cwd } = await convertPromptfooIn({
      'promptfooconfig.yaml': `
prompts: ['Say {{name}}', {id: lab, label: LAB, raw: 'Tell {{name}}'}]
providers: [{id: echo, transform: "output + '|' + context.vars.name + '|' + context.prompt.label"}]
tests:
  - vars: {name: Ada}
    options: {transform: "output + '|' + context.prompt.label"}
    assert: [{type: javascript, value: "['Say Ada|Ada|Say <name>|Say <name>', 'Tell Ada|Ada|LAB|LAB'].includes(output.replace(/.{2}name.{2}/g, '<name>'))"}]
`,
    });
    const verdicts = Object.values(await runConverted(cwd, SCRIPTS));
    expect(verdicts).toEqual(['passed', 'passed']);
  });

  test('numbers are those of JavaScript, letters are compared in lower case, and `starts-with` takes no number', async () => {
    const { cwd, suite, stderr } = await convertPromptfooIn({
      'promptfooconfig.yaml': `
prompts: ['{{n}}']
providers: [echo]
tests:
  - {description: long, vars: {n: 12345678901234567890}, assert: [{type: equals, value: '12345678901234567000'}, {type: equals, value: 12345678901234567890}]}
  - {description: huge, vars: {n: 1e400}, assert: [{type: equals, value: 1e400}, {type: equals, value: '1e400'}]}
  - {description: letters, vars: {n: STRASSE}, assert: [{type: not-icontains, value: Straße}, {type: icontains-any, value: [strasse]}]}
  - {description: start, vars: {n: 50}, assert: [{type: starts-with, value: 5}]}
`,
    });
    expect(stderr).toContain('its value is not a string');
    expect(suite).toContain('# not converted: the assertion starts-with');
    expect(await runConverted(cwd)).toMatchObject({
      long: 'passed',
      huge: 'passed',
      letters: 'passed',
      start: 'skipped',
    });
  });

  test('the judge may stand in the file of `defaultTest`', async () => {
    const { config } = await convertPromptfooIn({
      'promptfooconfig.yaml':
        'prompts: [hi]\nproviders: [echo]\ndefaultTest: file://shared.yaml\ntests: [{assert: [{type: llm-rubric, value: Is kind}]}]\n',
      'shared.yaml': 'options: {provider: openai:gpt-5-mini}\n',
    });
    expect(config).toContain('judge:');
    expect(config).toContain('gpt-5-mini');
  });
});
