import { expect, test } from 'vitest';
import { attemptRecord, stepRecord } from '../../../test/attempt-record.ts';
import { transcriptText } from './transcript-lines.ts';

test('the lines of a text stand below each other', () => {
  const step = stepRecord({ input: 'a\nb', output: 'c\nd', printed: 'e\nf\n', tools_used: [] });
  expect(transcriptText(attemptRecord({ steps: [step] }))).toBe(
    ['  input:  a', '          b', '  output: c', '          d', '  printed: e', '           f', ''].join(
      '\n',
    ),
  );
});
