import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject, runCli, type CliResult } from '../project.ts';
import { GOOD_CASES, GOOD_STEP_TESTS, ORDER_SCHEMA } from './good-tests.ts';
import { PLANTED } from './planted-defects.ts';

interface Found {
  readonly code: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

interface Checked {
  readonly findings: readonly Found[];
  readonly summary: Readonly<Record<string, number>>;
  readonly not_checked: readonly unknown[];
  readonly exit_code: number;
}

/** By what is wrong: every finding, with its place. */
const PLACES = JSON.parse(readFileSync(new URL('planted-places.json', import.meta.url), 'utf8')) as unknown;

function nameOf(file: string): string {
  return file.replace(/\..*/, '');
}

const projects: { remove(): void }[] = [];
afterAll(() => {
  for (const project of projects) project.remove();
});

async function check(files: Readonly<Record<string, string>>): Promise<{ result: CliResult; json: Checked }> {
  const project = createProject(files);
  projects.push(project);
  const paths = Object.keys(files).filter((name) => !/d\d+\.yaml$|schema\.json$/.test(name));
  const result = await runCli(['check', '--json', ...paths], { cwd: project.path });
  return { result, json: JSON.parse(result.stdout) as Checked };
}

describe('planted defects', () => {
  const found = new Map<string, string[]>();
  const places = new Map<string, string[]>();
  let checked: Checked;
  beforeAll(async () => {
    ({ json: checked } = await check(
      Object.assign({}, ...PLANTED.map(({ files }) => files)) as Record<string, string>,
    ));
    for (const { file, line, column, code } of checked.findings) {
      const name = nameOf(file);
      found.set(name, [...(found.get(name) ?? []), code]);
      places.set(name, [...(places.get(name) ?? []), `${line}:${column} ${code}`]);
    }
  });

  test('each defect is found at its place, and nothing else is reported', () => {
    const all = PLANTED.map(({ what, files }) => [what, places.get(nameOf(Object.keys(files)[0]!)) ?? []]);
    expect(Object.fromEntries(all)).toEqual(PLACES);
  });

  test('the number of tried replies is reported', () => {
    expect(checked).toMatchObject({
      exit_code: 2,
      summary: {
        tests: 188,
        checked: 184,
        unchecked: 2,
        skipped: 2,
        assertions: 312,
        replies: 1149,
        problems: 194,
        errors: 7,
      },
      not_checked: [{ kind: 'rubric', assertions: 1 }, {}],
    });
  });

  test('there are enough planted defects', () => expect(PLANTED.length).toBeGreaterThan(140));

  test.each(PLANTED.map(({ what, codes, files }) => [what, codes, Object.keys(files)[0]!] as const))(
    '%s',
    (_what, codes, file) => {
      const all = found.get(nameOf(file)) ?? [];
      expect({ found: all, hasOne: codes.split(' ').some((code) => all.includes(code)) }).toEqual({
        found: all,
        hasOne: true,
      });
    },
  );
});

describe('good tests', () => {
  test('have no findings, and each is checked', async () => {
    const cases = GOOD_CASES.map((own, index) => JSON.stringify({ id: `g${index + 1}`, ...own }));
    const tests = GOOD_STEP_TESTS.map((own, index) => JSON.stringify({ id: `s${index + 1}`, ...own }));
    const { json } = await check({
      'good.eval.yaml': `evalcases:\n${cases.map((own) => `  - ${own}\n`).join('')}`,
      'good.test.yaml': tests.map((own) => `- ${own}\n`).join(''),
      'good.jsonl': `${cases.join('\n')}\n`,
      'order.schema.json': JSON.stringify(ORDER_SCHEMA),
    });
    const { findings, not_checked, summary, exit_code } = json;
    expect({ findings, not_checked, exit_code }).toEqual({ findings: [], not_checked: [], exit_code: 0 });
    const all = 2 * cases.length + tests.length;
    expect(summary).toMatchObject({ tests: all, checked: all, unchecked: 0, assertions: 447, replies: 1245 });
    expect(cases.length + tests.length).toBeGreaterThan(100);
  });
});
