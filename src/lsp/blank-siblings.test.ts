import { expect, test } from 'vitest';
import { blankSiblings } from './blank-siblings.ts';
import { nodeAt } from './node-at.ts';

const filler = (indent: string): string =>
  Array.from(
    { length: 1000 },
    (_, index) =>
      `${indent}- id: case-${index}\n${indent}  input: |\n${indent}    - a\n${indent}  assert: [{ type: contains }]\n`,
  ).join('');

/** The text with a `¦` at the place that is looked at: what is found must be the same with and without blanks. */
function pathAt(marked: string): readonly (string | number)[] {
  const offset = marked.indexOf('¦');
  const text = marked.replace('¦', '');
  const blanked = blankSiblings(text, offset);
  expect(blanked).toHaveLength(text.length);
  expect(blanked.replaceAll(/\s/g, '').length).toBeLessThan(1000);
  const found = nodeAt(blanked, offset, { isLines: false })!;
  const whole = nodeAt(text, offset, { isLines: false })!;
  expect({ ...found, path: [], around: [] }).toEqual({ ...whole, path: [], around: [] });
  expect(found.around.at(-1)).toEqual(whole.around.at(-1));
  return found.path;
}

test.each(['  ', ''])(
  'what is at a place is found without the other items of a list, with "%s" before them',
  (indent) => {
    const item = `${indent}- id: mine\n${indent}  evaluators:\n${indent}    - type: con¦tains\n${indent}      value: x\n`;
    const text = `description: all\nevalcases:\n${filler(indent)}${item}${filler(indent)}target: one\n`;
    expect(pathAt(text)).toEqual(['evalcases', 0, 'evaluators', 0, 'type']);
    expect(pathAt(text.replace('¦', '').replace('id: mine', 'i¦d: mine'))).toEqual(['evalcases', 0, 'id']);
  },
);

test('a list at the root, and a field beside a list', () => {
  expect(pathAt(`${filler('')}- id: mine\n  inp¦ut: x\n${filler('')}`)).toEqual([0, 'input']);
});

test('a short text, JSON, and a place outside of lists stay as they are', () => {
  const json = `{"evalcases": [${'{"id": "a"},'.repeat(5000)}{}]}`;
  for (const text of ['- a: 1\n- b: 2\n', json]) expect(blankSiblings(text, 10)).toBe(text);
  const field = `target: one\nevalcases:\n${filler('  ')}`;
  expect(blankSiblings(field, 3)).toBe(field);
});
