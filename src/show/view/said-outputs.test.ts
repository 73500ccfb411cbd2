import { expect, test } from 'vitest';
import type { Json } from '../../base/model/json.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import { saidOutputs } from './said-outputs.ts';

test('knows which outputs occur in a message, however the message writes them', () => {
  const steps: readonly { readonly output: string; readonly content: Json }[] = [
    { output: 'Hello', content: 'Hello' },
    { output: 'Hello', content: 'Hello there' },
    {
      output: 'a\n\nb',
      content: [
        { type: 'text', text: 'a' },
        { type: 'output_text', value: 'b' },
      ],
    },
    { output: 'I cannot', content: [{ type: 'refusal', refusal: 'I cannot' }] },
    { output: 'a', content: [{ type: 'thinking', thinking: 'hm', text: 'a' }] },
    { output: '{"n":12345678901234567890}', content: { n: 12345678901234567890n } },
    { output: '{"n": 1}', content: '{"n":1}' },
    { output: 'not JSON', content: { n: 1 } },
  ];
  const record = {
    steps: steps.map(({ output, content }) => ({
      output,
      output_messages: [
        { role: 'assistant', content: 'Let me see.' },
        { role: 'assistant', content },
      ],
    })),
  } as unknown as AttemptRecord;
  expect(saidOutputs(record)).toEqual([0, 2, 3, 5]);
});
