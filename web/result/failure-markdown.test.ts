import { Lexer } from 'marked';
import { expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { failureMarkdown } from './failure-markdown.ts';

function record(text: string): AttemptRecord {
  const place = { file: 'tests/a.yaml', line: 3, column: 1 };
  return {
    id: 'x',
    ...place,
    test: text,
    description: text,
    tags: [],
    target: text,
    repeat: 1,
    fingerprint: '0',
    verdict: 'failed',
    score: 0,
    steps: [
      {
        line: 3,
        input: text,
        input_messages: [{ role: 'user', content: text }],
        output: text,
        tool_calls: [{ tool: text, input: { [text]: text }, output: text }],
        memory_before: {},
        duration_ms: 1,
        assertions: [
          {
            form: 'claim',
            kind: 'output',
            name: text,
            weight: 1,
            passed: false,
            score: 0,
            message: text,
            expected: text,
            actual: { a: text },
            ...place,
          },
        ],
      },
    ],
    assertions: [],
    retries: 0,
    started_at: '',
    duration_ms: 1,
  };
}

test('it has the title, the place, the expected and actual values, the conversation, and the command', () => {
  const markdown = failureMarkdown(record('refund'), 'assay run tests/a.yaml:3');
  expect(markdown).toContain('## Failed: refund\n');
  expect(markdown).toContain('`tests/a.yaml:3`');
  expect(markdown).toContain('Expected:\n\n```\nrefund\n```');
  expect(markdown).toContain('Actual:\n\n```json\n{ "a": "refund" }\n```');
  expect(markdown).toContain('**user:**\n\n```\nrefund\n```');
  expect(markdown).toContain('```sh\nassay run tests/a.yaml:3\n```');
});

test.each([
  '```\n# break out\n```',
  '`````\nlonger\n`````',
  '~~~\nx\n~~~',
  '<img src=x onerror=alert(1)> <script>alert(1)</script>',
  '[click](javascript:alert(1)) ![x](https://evil.example/x.png)',
  '@everyone #1 **bold** _em_ | table | $math$',
  '\u202Etxt.exe\u0000',
  'line\r\n\r\n# heading\n\n- list',
  '` `` ``` a',
])('text stays text: %s', (text) => {
  const markdown = failureMarkdown(record(text), 'assay run');
  const tokens = new Lexer({ gfm: true }).lex(markdown);
  const kinds: string[] = [];
  const walk = (list: readonly { readonly type: string; readonly tokens?: unknown }[]): void => {
    for (const token of list) {
      kinds.push(token.type);
      if (Array.isArray(token.tokens)) walk(token.tokens as Parameters<typeof walk>[0]);
    }
  };
  walk(tokens);
  for (const bad of ['html', 'image', 'link', 'list', 'table', 'em', 'del', 'blockquote'])
    expect(kinds).not.toContain(bad);
  expect(kinds.filter((kind) => kind === 'heading')).toHaveLength(2);
  expect(kinds.filter((kind) => kind === 'code')).toHaveLength(7);
  // oxlint-disable-next-line no-control-regex
  expect(markdown).not.toMatch(/[\u202e\u0000]/);
});
