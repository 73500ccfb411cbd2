import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import { displayWidth } from '../../show/reporters/terminal-text.ts';
import { createQuestion, footer } from './watch-screen.ts';

const colors = picocolors.createColors(false);
const NO_FILTER = { grep: '', pattern: '' };

test('the footer is one line where it fits, and breaks between keys where it does not', () => {
  const at = (columns: number, filter = NO_FILTER): readonly string[] =>
    footer({ colors, columns, isDumb: false, write() {} }, { filter, hasKeys: true })
      .trim()
      .split('\n');
  expect(at(100)).toHaveLength(1);
  for (const columns of [60, 40]) {
    for (const line of at(columns)) expect(displayWidth(line)).toBeLessThan(columns);
    expect(at(columns).join(' · ')).toBe(
      'Waiting for changes · a all · f failed · t tests · p paths · u update · enter again · q quit',
    );
  }
  expect(at(200, { grep: 'x', pattern: '' })[0]).toContain('only tests that match "x"');
});

test('a question is drawn over the rows that it took, also in a terminal that became narrower', () => {
  const output = {
    colors,
    columns: 80,
    isDumb: false,
    text: '',
    write: (text: string) => void (output.text = text),
  };
  const show = createQuestion(output, 'Only tests whose name matches (empty: all): ');
  show('');
  expect(output.text).toBe('Only tests whose name matches (empty: all): \n');
  output.columns = 40;
  show('o');
  expect(output.text).toContain('\u001B[2F\u001B[0JOnly');
  output.columns = 100;
  show('on');
  expect(output.text).toContain('\u001B[1F\u001B[0JOnly');
  output.isDumb = true;
  show('one');
  expect(output.text).toMatch(/^Only.*one\n$/);
});
