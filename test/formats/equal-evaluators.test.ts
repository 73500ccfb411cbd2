import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { readDataset } from '../../src/suites/load/read-dataset.ts';
import type { Finding } from '../../src/base/model/finding.ts';
import type { Test } from '../../src/base/model/test.ts';
import { createProject } from '../project.ts';

let remove: (() => void) | undefined;
afterEach(() => remove?.());

async function readLines(
  lines: readonly string[],
  files: Record<string, string> = {},
): Promise<{ readonly tests: readonly Test[]; readonly findings: readonly Finding[] }> {
  const project = createProject({ 'cases.jsonl': `${lines.join('\n')}\n`, ...files });
  remove = () => project.remove();
  const tests: Test[] = [];
  const findings: Finding[] = [];
  for await (const item of readDataset(join(project.path, 'cases.jsonl'))) {
    if (item.test !== undefined) tests.push(item.test);
    findings.push(...item.findings);
  }
  return { tests, findings };
}

const line = (id: string, evaluators: string): string =>
  `{"id":"${id}","input":"in","evaluators":${evaluators}}`;
const evaluatorsOf = (of: Test | undefined) => of!.steps[0]!.assertions;

test('equal evaluators of several lines are in their own places', async () => {
  const wanted = '{"type":"contains","value":"in"}';
  const { tests } = await readLines([
    line('a', `[${wanted}]`),
    line('longer', `[${wanted}]`),
    line('c', `[{"type":"equals","value":"in"},${wanted},${wanted}]`),
  ]);
  const places = tests.map((each) =>
    evaluatorsOf(each).map(({ name, place: { line: at, column } }) => `${name} ${at}:${column}`),
  );
  expect(places).toEqual([
    ['contains 1:38'],
    ['contains 2:43'],
    ['equals 3:38', 'contains 3:69', 'contains#2 3:102'],
  ]);
});

test('evaluators that differ only in the order of keys, or in a sign, stay as they are written', async () => {
  const args = ['{"a":1,"b":0}', '{"b":0,"a":1}', '{"a":1,"b":-0}', '{"a":1}', '{"a":1,"b":0}', '[1,0]'];
  const { tests } = await readLines(
    args.map((each, index) =>
      line(
        `t${index}`,
        `[{"type":"tool_trajectory","mode":"exact","expected":[{"tool":"x","args":{"y":${each}}}]}]`,
      ),
    ),
  );
  const printed = tests.map((each) => {
    const [{ args: written } = { args: null }] = evaluatorsOf(each)[0]!.parameters['expected'] as unknown as {
      readonly args: { readonly y: { readonly b?: number } };
    }[];
    return `${JSON.stringify(written!.y)}${Object.is(written!.y.b, -0) ? ' -0' : ''}`;
  });
  expect(printed).toEqual([
    '{"a":1,"b":0}',
    '{"b":0,"a":1}',
    '{"a":1,"b":0} -0',
    '{"a":1}',
    '{"a":1,"b":0}',
    '[1,0]',
  ]);
});

test('what is wrong with an evaluator is said of each line', async () => {
  const vacuous = line('a', '[{"type":"regex","value":".*"}]');
  const wrong = line('b', '[{"type":"regex","value":"("}]');
  const { findings } = await readLines([
    vacuous,
    vacuous.replace('"a"', '"c"'),
    wrong,
    wrong.replace('"b"', '"d"'),
  ]);
  expect(findings.map(({ code, line: at }) => `${code} ${at}`)).toEqual([
    'always_holds 1',
    'always_holds 2',
    'pattern 3',
    'pattern 4',
  ]);
});

test('members of equal composites are in their own places', async () => {
  const whole =
    '[{"type":"composite","assertions":[{"type":"contains","value":"in"}],"aggregator":{"type":"weighted_average"}}]';
  const { tests, findings } = await readLines([line('a', whole), line('b', whole)]);
  expect(findings).toEqual([]);
  const lines = tests.map((each) => {
    const [{ parameters, nests }] = evaluatorsOf(each) as [ReturnType<typeof evaluatorsOf>[number]];
    return (parameters[nests!] as unknown as ReturnType<typeof evaluatorsOf>)[0]!.place.line;
  });
  expect(lines).toEqual([1, 2]);
});

test.each([
  ['as they are', line('a', '[{"type":"contains","value":"{{city}}"}]'), {}],
  ['escaped', line('a', '[{"type":"contains","value":"\\u007B{city}}"}]'), {}],
  [
    'in the sidecar',
    '{"id":"a","input":"in"}',
    { 'cases.yaml': "evaluators: [{ type: contains, value: '{{city}}' }]\n" },
  ],
])('braces that nothing fills in, %s', async (_, text, files) => {
  const { findings } = await readLines([text], files);
  expect(findings.map(({ code }) => code)).toEqual(['unfilled_braces']);
});
