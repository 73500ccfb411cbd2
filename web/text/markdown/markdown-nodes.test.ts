import { describe, expect, test } from 'vitest';
import { plainText, type TextElement, type TextNode } from '../nodes.tsx';
import { isMarkdown } from './is-markdown.ts';
import { markdownNodes } from './markdown-nodes.ts';
import { splitMarkdown } from './split-markdown.ts';

function elements(nodes: readonly TextNode[]): readonly TextElement[] {
  return nodes.flatMap((node) => (typeof node === 'string' ? [] : [node, ...elements(node.children)]));
}

const tagsOf = (text: string): readonly string[] => elements(markdownNodes(text)!).map(({ tag }) => tag);

test('common Markdown becomes elements, and line breaks stay', () => {
  expect(tagsOf('one\ntwo **three** *four* ~~five~~ `six`')).toEqual([
    'p',
    'br',
    'strong',
    'em',
    's',
    'code',
  ]);
  expect(tagsOf('3. a\n4. b\n   - c')).toEqual(['ol', 'li', 'li', 'ul', 'li']);
  expect(tagsOf('| a |\n| - |\n| 1 |')).toEqual(['table', 'thead', 'tr', 'th', 'tbody', 'tr', 'td']);
  expect(elements(markdownNodes('3. a\n4. b')!)[0]!.props).toEqual({ start: 3 });
  const code = elements(markdownNodes('```js\nconst a = 1; // x\n```')!);
  expect(code.map(({ props }) => props?.['class']).filter(Boolean)).toContain('hljs-keyword');
  expect(plainText(code.slice(0, 1))).toContain('const a = 1; // x');
});

describe('hostile text stays text', () => {
  test.each([
    '<script>alert(1)</script>',
    'a <img src=x onerror=alert(1)> b',
    '<div onclick="x">\n\n**b**\n\n</div>',
    '[a](javascript:alert(1))',
    '[a](JaVaScRiPt:alert(1))',
    '[a](&#106;avascript:alert(1))',
    '[a](java\tscript:alert(1))',
    '[a](\u0001javascript:alert(1))',
    '[a](data:text/html,<script>alert(1)</script>)',
    '[a](data:text/html;base64,PHNjcmlwdD4=)',
    '[a](vbscript:x)',
    '[a](file:///etc/passwd)',
    '[a](//evil.example)',
    '[a](/relative)',
    '![a](https://evil.example/track.png)',
    '![a](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)',
    '<javascript:alert(1)>',
    '[a]: javascript:alert(1)\n\n[a]',
  ])('%s', (text) => {
    const all = elements(markdownNodes(text)!);
    expect(all.filter(({ tag }) => tag === 'a')).toEqual([]);
    expect(
      all.flatMap(({ props = {} }) => Object.keys(props)).filter((name) => /^on|src|style|html/i.test(name)),
    ).toEqual([]);
    // Nothing disappears either: the reader sees what was written.
    expect(plainText(markdownNodes(text)!)).toMatch(/script|onerror|onclick|passwd|evil|relative|svg|data:/i);
  });
});

test('a link shows where it leads', () => {
  const [paragraph] = markdownNodes('[Your bank](https://evil.example/?a=b)') as [TextElement];
  const [link, address] = paragraph.children as [TextElement, TextElement];
  expect(link.props).toMatchObject({ href: 'https://evil.example/?a=b', target: '_blank' });
  expect(String(link.props?.['rel'])).toContain('noopener noreferrer');
  expect(plainText([address])).toBe(' (https://evil.example/?a=b)');
  // A name in letters of another script is shown as what it is.
  expect(plainText(markdownNodes('[a](https://аpple.com/)')!)).toContain('xn--');
  expect(plainText(markdownNodes('[mail](mailto:a@b.c)')!)).toContain('(mailto:a@b.c)');
});

test.each([
  ['quotes', '>'.repeat(10_000)],
  ['quotes with text', `${'> '.repeat(10_000)}deep`],
  ['lists', `${'- '.repeat(10_000)}deep`],
  ['numbered lists', '1. '.repeat(10_000)],
  ['stars', `${'*'.repeat(100_000)}a`],
  ['brackets', '['.repeat(100_000)],
  ['lists in quotes', `${'> - '.repeat(10_000)}deep`],
  ['numbered lists in lists', `${'- 1. '.repeat(10_000)}deep`],
])('10,000 nested %s are text at once', (_, text) => {
  expect(markdownNodes(text)).toBeUndefined();
});

describe('a paragraph that would take the lexer seconds is text, and those around it are Markdown', () => {
  test.each([
    ['underscores in words', '_a_b'],
    ['stars', 'a*b '],
    ['stars and tildes', 'some words**~~>'],
    ['tildes', '~~a~'],
    ['brackets', '[[x] '],
    ['pictures', '![a '],
    ['code', '`a``b '],
    ['addresses', '_www.'],
    ['one long word', 'abc.'],
  ])('%s', (_, unit) => {
    const hostile = unit.repeat(12_000 / unit.length).trim();
    const nodes = markdownNodes(`before **bold**\n\n${hostile}\n\nafter _slanted_`)!;
    const [before, paragraph, after] = nodes as readonly TextElement[];
    expect(paragraph!.children).toEqual([hostile]);
    expect([before!, after!].map(({ children }) => elements(children).map(({ tag }) => tag))).toEqual([
      ['strong'],
      ['em'],
    ]);
  });

  test('what people write is far from that', () => {
    const sentence = 'A **bold** word, some `code_with_names` and a [link](https://example.com/a_b_c). ';
    const nodes = markdownNodes(`${sentence.repeat(12)}\n\n`.repeat(6))!;
    const tags = elements(nodes).map(({ tag }) => tag);
    expect(tags.filter((tag) => tag === 'strong')).toHaveLength(72);
    expect(tags.filter((tag) => tag === 'a')).toHaveLength(72);
  });
});

test('many spaces, and lines of nothing but pipes, are looked at once', () => {
  expect(markdownNodes(`a${' '.repeat(10_000)}b`)).toBeUndefined();
  expect(isMarkdown('|'.repeat(20_000))).toBe(false);
  expect(isMarkdown('['.repeat(20_000))).toBe(false);
});

test('what is nested 19 deep is cut at a depth that pages can bear, and nothing is lost', () => {
  const nodes = markdownNodes(`${'> '.repeat(19)}deep **end**`)!;
  expect(elements(nodes).length).toBeLessThan(25);
  expect(plainText(nodes)).toContain('deep');
});

test.each([
  'Done.',
  'Hello,\n\nplease call me.\n\nRegards',
  'a * b * c and 2 * 3',
  '- a dash at the start of one line',
  '#1 and #2 are hashtags',
  'snake_case_name and __init__',
  '5 > 3',
  'C:\\path\\to\\file',
  '2026. That was the year.',
  '   indented\n      text\n   stays',
  '[click](javascript:alert(1))',
  "it's a `",
])('this is plain text: %s', (text) => {
  expect(isMarkdown(text)).toBe(false);
});

test.each([
  '# Title\ntext',
  '**bold** word',
  'use `npm test`',
  '- a\n- b',
  '1. a\n2. b',
  '```\ncode',
  '> quoted',
  '| a | b |\n|---|---|',
  '[a](https://x.example)',
])('this is Markdown: %s', (text) => {
  expect(isMarkdown(text)).toBe(true);
});

test('a long text is cut between blocks, never inside code, and nothing is lost', () => {
  const block = `# Part\n\n${'words and words '.repeat(40)}\n\n\`\`\`js\nlet a;\n\nlet b;\n\`\`\`\n\n`;
  const text = block.repeat(200);
  const pieces = splitMarkdown(text);
  expect(pieces.join('')).toBe(text);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(12_000);
  for (const piece of pieces) expect((piece.match(/```/g) ?? []).length % 2).toBe(0);
  const line = 'x'.repeat(1_000_000);
  expect(splitMarkdown(line).join('')).toBe(line);
  expect(Math.max(...splitMarkdown(line).map(({ length }) => length))).toBeLessThanOrEqual(12_000);
});

test('code that is too long for one piece continues as code of the same language', () => {
  const pieces = splitMarkdown(
    `# Code\n\n\`\`\`python\n${'x = 1  # one\n'.repeat(2000)}\`\`\`\n\nEnd **here**.`,
  );
  expect(pieces.length).toBeGreaterThan(3);
  for (const piece of pieces.slice(1, -1)) {
    expect(piece.startsWith('```python\n')).toBe(true);
    expect(elements(markdownNodes(piece)!)[0]!.tag).toBe('pre');
  }
  expect(elements(markdownNodes(pieces.at(-1)!)!).map(({ tag }) => tag)).toContain('strong');
});
