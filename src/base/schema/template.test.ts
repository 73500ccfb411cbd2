import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../model/json.ts';
import { createVariables, fillTemplate, namesIn } from './template.ts';

const VARS: JsonObject = {
  city: 'Paris',
  n: 3,
  big: 12345678901234567890n,
  none: null,
  yes: true,
  user: { name: 'Ann', tags: ['a', { b: 1 }] },
  'user.name': 'whole key',
  'first name': 'Bo',
  nested: '{{city}} $& \\{{n}}',
  constructor_: '',
};

function fill(text: string): { value: Json; problems: readonly string[] } {
  const problems: string[] = [];
  const value = fillTemplate(text, createVariables(VARS), ({ message, hint }) =>
    problems.push(`${message}: ${hint}`),
  );
  return { value, problems };
}

describe('fillTemplate', () => {
  it.each<[string, Json]>([
    ['no braces', 'no braces'],
    ['{{city}}', 'Paris'],
    ['in {{ city }}, {{city}}!', 'in Paris, Paris!'],
    ['{{n}}', 3],
    ['{{n}} ', '3 '],
    ['{{big}} {{big}}', '12345678901234567890 12345678901234567890'],
    ['{{big}}', 12345678901234567890n],
    ['{{none}}', null],
    ['<{{none}}>', '<null>'],
    ['{{yes}}', true],
    ['{{user}}', VARS['user']!],
    ['u={{user}}', 'u={"name":"Ann","tags":["a",{"b":1}]}'],
    ['{{user.name}}', 'whole key'],
    ['{{user.tags.1.b}}', 1],
    ['{{first name}}', 'Bo'],
    ['{{nested}}!', '{{city}} $& \\{{n}}!'],
    ['{{nested}}', '{{city}} $& \\{{n}}'],
    [String.raw`\{{city}} {{city}}`, '{{city}} Paris'],
    [String.raw`\{{`, '{{'],
    [String.raw`C:\\{{city}}`, String.raw`C:\Paris`],
    [String.raw`\\\{{city}}`, String.raw`\{{city}}`],
    [String.raw`\d{2} \\ {a} }}`, String.raw`\d{2} \\ {a} }}`],
    ['{"a":{"b":{{n}}}}', '{"a":{"b":3}}'],
    ['{{{city}}}', '{Paris}'],
    ['{{\n city\n}}', 'Paris'],
  ])('%s is filled in', (text, value) => {
    expect(fill(text)).toEqual({ value, problems: [] });
  });

  it.each([
    ['{{citty}}', 'there is no variable `citty`: did you mean `city`?'],
    ['{{user.nam}}', 'there is no variable `user.nam`: did you mean `user.name`?'],
    ['{{city.x}}', 'there is no variable `city.x`: did you mean `city`?'],
    ['{{toString}}', 'there is no variable `toString`: the variables are '],
    ['{{__proto__}}', 'there is no variable `__proto__`: the variables are '],
    ['{{user.tags.length}}', 'there is no variable `user.tags.length`'],
    ['{{#if city}}x{{/if}}', 'there is no variable `#if city`: templates contain names only'],
    ['{{city | upper}}', 'there is no variable `city | upper`: templates contain names only'],
    ['{{}}', '`{{}}` contains no variable name'],
    ['a {{city', '`{{` is never closed by `}}`'],
    ['{{city}', '`{{` is never closed by `}}`'],
    [String.raw`\\{{citty}}`, 'there is no variable `citty`'],
  ])('%s is wrong', (text, problem) => {
    expect(fill(text).problems[0]).toContain(problem);
  });

  it('lists the names of a template', () => {
    expect(namesIn(String.raw`{{a}} \{{b}} {{ c.d }} {{a}}`)).toEqual(['a', 'c.d', 'a']);
  });
});
