import { describe, expect, it } from 'vitest';
import { contentText, conversationText } from './content-text.ts';
import type { Json } from './json.ts';

const file = { type: 'file', value: 'notes/a.md', text: 'one\ntwo\n' };

describe('contentText', () => {
  it.each<[string, Json, string]>([
    ['text', ' as it is\n', ' as it is\n'],
    ['one text part', [{ type: 'text', value: 'Only this' }], 'Only this'],
    ['the text of a provider', [{ type: 'output_text', text: 'Said' }], 'Said'],
    [
      'parts with one blank line between them',
      [{ type: 'text', value: 'Block\n\n' }, file, { type: 'text', value: '\nEnd\n' }],
      'Block\n\n<file: path="notes/a.md">\n\nEnd\n',
    ],
    ['a text among parts', ['Hi', { type: 'text', value: 'there' }], 'Hi\n\nthere'],
    [
      'no blank line for an empty part',
      [
        { type: 'text', value: '' },
        { type: 'text', value: 'x' },
      ],
      'x',
    ],
    ['an image by its name', [{ type: 'image', value: 'pic.png' }], '<image: path="pic.png">'],
    [
      'an image by its address',
      [{ type: 'image_url', image_url: { url: 'https://x.test/p' } }],
      '<image: path="https://x.test/p">',
    ],
    [
      'an image inside by its kind',
      [{ type: 'image', value: 'data:image/png;base64,AAAA' }],
      '<image: image/png>',
    ],
    [
      'a part of another type as JSON',
      [
        { type: 'text', value: 'a' },
        { type: 'audio', id: 1 },
      ],
      'a\n\n{\n  "type": "audio",\n  "id": 1\n}',
    ],
    [
      'no thoughts and no calls',
      [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'Yes' },
        { type: 'tool_use', name: 't' },
      ],
      'Yes',
    ],
    ['an object', { a: 1 }, '{\n  "a": 1\n}'],
    ['data that has types', [{ type: 'circle', r: 1 }], '[\n  {\n    "type": "circle",\n    "r": 1\n  }\n]'],
    ['a list of texts', ['a', 'b'], '[\n  "a",\n  "b"\n]'],
    [
      'parts that say nothing',
      [{ type: 'text', value: '' }],
      '[\n  {\n    "type": "text",\n    "value": ""\n  }\n]',
    ],
    ['nothing', null, ''],
  ])('gives %s', (_what, content, text) => {
    expect(contentText(content, 'named')).toBe(text);
  });

  it('includes the text of a file for readers that cannot open it', () => {
    const parts = [{ type: 'text', value: 'See' }, file];
    expect(contentText(parts, 'included')).toBe('See\n\n<file path="notes/a.md">\none\ntwo\n</file>');
    expect(contentText([{ type: 'file', value: 'a "b".md' }], 'included')).toBe(
      '<file: path="a &quot;b&quot;.md">',
    );
    expect(contentText([file], 'bare')).toBe('one\ntwo\n');
  });
});

describe('conversationText', () => {
  it('is the text itself for a single user message', () => {
    expect(conversationText([{ role: 'user', content: 'Hi\n' }], 'named')).toBe('Hi\n');
    expect(conversationText([], 'named')).toBe('');
  });

  it('names the speakers if there are several messages, with tool calls below the text', () => {
    const messages = [
      { role: 'system', content: 'Be brief' },
      { role: 'user', content: [{ type: 'text', value: 'Weather?' }] },
      { role: 'assistant', content: 'I look', tool_calls: [{ tool: 'w' }] },
      { role: 'tool', content: null },
    ] as const;
    expect(conversationText(messages, 'named')).toBe(
      '@[System]:\nBe brief\n\n@[User]:\nWeather?\n\n@[Assistant]:\nI look\n\n[\n  {\n    "tool": "w"\n  }\n]\n\n@[Tool]:\n',
    );
  });
});
