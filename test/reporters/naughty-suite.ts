/** Text that does something when it is shown by somebody who trusts it. */
export const NAUGHTY = [
  '\u001b[31mred\u001b[0m',
  '\u001b]0;title\u0007',
  '\u009b2J and \u0085 next line',
  'nul \u0000 and back\b\b\bspace',
  'carriage\rreturn and\r\nboth',
  '\u202ereversed\u202c \u2066isolated\u2069 \u061c',
  '\u2028line separator\u2029',
  '::error file=a.ts,line=1::injected',
  'text\n::error::on a line of its own\n##[error]and this',
  '%0A::error::%25 %0D',
  '<script>alert(1)</script> & <b>',
  ']]> <![CDATA[ &xxe; <!DOCTYPE x>',
  '| a | b |\n|---|---|\n| c | d |',
  'back\\| slash \\',
  '``` \n fence\n````\n</details>\n# heading',
  '`tick` ``two`` @octocat #1 https://example.com [a](javascript:alert(1)) ![x](http://e.x/y)',
  '# SKIP \\# TODO not ok 7 - injected\n1..99\nBail out!\n  ...\n  ---',
  'lone \ud83d surrogate \udc00',
  'non-characters \ufffe \uffff \ufeff',
  '😀 日本語 العربية',
  '__proto__',
  '- yaml: [a, "b]\n  ...\n\tx: |',
  `very long ${'`'.repeat(400)} ${'x'.repeat(50_000)}`,
];

const AGENT = `
export function agent(input, memory, { attempt }) {
  if (input === 'throw') throw new Error('no flights \\u001b[31m today ]]> | <b>\\n::error::x');
  if (input === 'flaky') return { output: attempt % 2 === 0 ? 'yes' : 'no', memory: {} };
  console.log('printed: ' + input);
  return { output: input, tools_used: [input], memory: { said: input } };
}`;

/** Tests of every verdict, an invalid file, warnings of files and of attempts, and hostile text wherever text can be. */
export function naughtyProject(): Readonly<Record<string, string>> {
  const hostile = NAUGHTY.map((text, index) => ({
    id: `${index} ${text.slice(0, 300)}`,
    description: text,
    tags: [text.slice(0, 40)],
    input: text,
    memory: {},
    assert: { 'output.equals': `not ${text}`, 'memory.said': text },
  }));
  return {
    'agent.mjs': AGENT,
    'suites/hostile.test.json': JSON.stringify(hostile),
    'suites/verdicts.test.yaml': `
- id: passes
  input: hello
  assert: {output.equals: hello}
- id: fails
  description: Says goodbye
  input: hello
  assert:
    output.equals: goodbye
    tools_used: [phone]
- id: throws
  input: throw
  assert: {output.equals: x}
- id: flaky
  input: flaky
  assert: {output.equals: "no"}
- id: skipped
  skip: "later | # ]]> soon"
  input: hello
  assert: {output.equals: hello}
- id: warns
  memory: {a: 1}
  steps:
    - input: hello
      assert: {memory.b.c: 1, memory.d: null}
`,
    'suites/invalid.test.yaml': 'input: hello\nassert:\n  output.contians: hello\n',
  };
}
