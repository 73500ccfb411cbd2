import { describe, expect, test } from 'vitest';
import type { TextRule } from '../../model/text-rule.ts';
import { search } from '../python-re/index.ts';
import { findText } from './find-text.ts';

const found = (pattern: string): TextRule => ({ type: 'pattern', pattern });
const not = (rule: TextRule): TextRule => ({ type: 'not', rule });
const has = (text: string): TextRule => ({ type: 'literal', text, at: 'anywhere' });

describe('a text that satisfies rules', () => {
  test.each([
    [[found('^a+$'), has('b')]],
    [[found('a^')]],
    [[found('$a')]],
    [[found(String.raw`[^\s\S]`)]],
    [[found('(?=a)b')]],
    [[found('(?!)')]],
    [[found(String.raw`\b\B`)]],
    [[found(String.raw`^\d{3}$`), found(String.raw`^\d{4}$`)]],
    [[found(String.raw`(?<=a)(?<!a)b`)]],
    [[found(String.raw`(?<!\w)x`), found('^[ax]{2}$'), not(found('^x'))]],
    [[has('Paris'), not(has('Par'))]],
    [[has('Paris'), not(found('(?i)pARis'))]],
    [
      [
        { type: 'literal', text: 'Paris', at: 'anywhere' },
        not({ type: 'literal', text: 'PARIS', at: 'anywhere', ignoresCase: true }),
      ],
    ],
    [[{ type: 'literal', text: 'Yes', at: 'start' }, found(String.raw`\ANo`)]],
    [[{ type: 'literal', text: 'Yes', at: 'whole' }, has('No')]],
    [[{ type: 'any', rules: [has('a'), has('b')] }, not(has('a')), not(has('b'))]],
    [[not(found('.*'))]],
    [[not(found('x?'))]],
    [[not(found(String.raw`(?s)\A.*\Z`))]],
    [[not(found('(?s)^.*$'))]],
    [[not(found('|never'))]],
    [[found('^(?!.*password)'), has('password'), not(found(String.raw`\n`))]],
  ] as [TextRule[]][])('does not exist for %j', (rules) => {
    expect(findText(rules)).toBe('none');
  });

  test.each([
    ['^a+$'],
    [String.raw`^(?=.*\d)(?=.*[a-z])(?!.*\s).{8,}$`],
    [String.raw`\b[A-Z]{2}\d{3}\b`],
    [String.raw`(?<=\$)\d+\.\d{2}(?!\d)`],
    [String.raw`(?i)straße|x`],
    [String.raw`(?m)^- .+$\n^- .+$`],
    [String.raw`(?:(?!foo).)*bar\Z`],
    [String.raw`(?:(?!.*x).)*y`],
    [String.raw`\A\w+@\w+\.(com|org)\Z`],
    [String.raw`^.{0,280}$`],
    [String.raw`[\u4e00-\u9fff]{2,}`],
    [String.raw`[^\x00-\x7f]`],
    [String.raw`\d(?<![0-9])`],
    [String.raw`$`],
  ])('Python agrees about a text with and one without the pattern %s', (pattern) => {
    const holds = findText([found(pattern)]);
    expect(holds).toMatchObject({ text: expect.any(String) });
    expect(search(pattern, (holds as { text: string }).text)).not.toBeNull();
    const breaks = findText([not(found(pattern))]);
    if (pattern === '$') expect(breaks).toBe('none');
    else expect(search(pattern, (breaks as { text: string }).text)).toBeNull();
  });

  test('is found for several rules at once', () => {
    const rules = [
      has('total'),
      found(String.raw`\d+ EUR`),
      not(has('total ')),
      not(found('(?i)error')),
      found('^Sum'),
    ];
    expect(findText(rules)).toMatchObject({ text: expect.stringMatching(/^Sum.*/) });
  });

  test('is unknown for a pattern that is not regular', () => {
    expect(findText([found(String.raw`(a+)b\1`)])).toBe('unknown');
    expect(findText([found('(?>a+)a')])).toBe('unknown');
  });

  /** Small patterns made at random, against every short text over three letters. */
  test('agrees with a search through every short text', () => {
    const texts = [''];
    for (let at = 0; at < texts.length && texts[at]!.length < 4; at++)
      texts.push(...['a', 'b', '\n'].map((letter) => texts[at]! + letter));
    let seed = 7;
    const next = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const parts = [
      'a',
      'b',
      '.',
      '^',
      '$',
      'a*',
      'b+',
      'a?',
      '(?=a)',
      '(?!b)',
      '(?<=a)',
      '(?<!b)',
      String.raw`\b`,
      String.raw`\B`,
      '(a|b)',
      '(?:ab|)',
      '[^a]',
      String.raw`\Z`,
      String.raw`\n`,
      '(?m:^)',
      '(?m:$)',
    ];
    for (let round = 0; round < 200; round++) {
      const pattern = Array.from({ length: 1 + next(4) }, () => parts[next(parts.length)]).join('');
      const other = Array.from({ length: 1 + next(3) }, () => parts[next(parts.length)]).join('');
      const fits = (text: string): boolean => search(pattern, text) !== null && search(other, text) === null;
      const result = findText([found(pattern), not(found(other))]);
      if (result === 'none')
        expect({ pattern, other, fits: texts.find(fits) }).toEqual({ pattern, other, fits: undefined });
      else
        expect({ pattern, other, fits: fits((result as { text: string }).text) }).toEqual({
          pattern,
          other,
          fits: true,
        });
    }
  });
});

test('is readable', () => {
  for (const pattern of ['^.$', '^\\w$', '^[^0-9]$'])
    expect(findText([{ type: 'pattern', pattern }])).toEqual({
      text: expect.stringMatching(/^[a-z]$/i) as string,
    });
});
