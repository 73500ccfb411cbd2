import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';

/** The whole page shares these: sizes and colours, plain elements, and what is different on paper. */
const SHARED = new Set([
  'web/styles/tokens.css',
  'web/styles/base.css',
  'web/styles/print.css',
  'web/styles/page.css',
]);

/** The selectors that begin rules of a sheet, inside of media queries too. */
function firstSelectors(css: string): readonly string[] {
  const selectors: string[] = [];
  const open: ('rule' | 'group')[] = [];
  let text = '';
  for (const letter of css.replaceAll(/\/\*[^]*?\*\//g, '')) {
    if (letter === '{') {
      const head = text.trim();
      if (!open.includes('rule') && !head.startsWith('@')) selectors.push(...head.split(/,(?![^(]*\))/));
      open.push(head.startsWith('@media') ? 'group' : 'rule');
      text = '';
    } else if (letter === '}') {
      open.pop();
      text = '';
    } else text = letter === ';' ? '' : text + letter;
  }
  return selectors.map((selector) => selector.trim());
}

test('each class is styled by one sheet, so that no component changes how another one looks', () => {
  const sheets = globSync('web/**/*.css').filter((path) => !SHARED.has(path));
  expect(sheets.length).toBeGreaterThan(20);
  const owners = new Map<string, Set<string>>();
  for (const path of sheets) {
    for (const selector of firstSelectors(readFileSync(path, 'utf8'))) {
      const name = /^[a-z]*\.([a-z][\w-]*)/.exec(selector)?.[1];
      expect(name, `${path}: ${selector} does not begin with a class`).toBeDefined();
      owners.set(name!, (owners.get(name!) ?? new Set()).add(path));
    }
  }
  const shared = [...owners].filter(([, paths]) => paths.size > 1);
  expect(shared.map(([name, paths]) => `.${name}: ${[...paths].join(', ')}`)).toEqual([]);
});
