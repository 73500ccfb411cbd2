import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REPORTERS } from '../../src/show/reporters/registry.ts';
import { createProject, runCli, type CliResult } from '../project.ts';
import { naughtyProject } from './naughty-suite.ts';
import { normalise } from './normalise.ts';

/** Everything a reporter is told, as it is told: what is equal here is equal in any report. */
const OWN_REPORTER = `
export default ({ write, options }) => ({
  onRunStart: ({ planned, agents, ...run }) => write('start ' + JSON.stringify(run) + ' ' + options.isTTY + '\\n'),
  onFinding: (finding) => write('finding ' + JSON.stringify(finding) + '\\n'),
  onResult: (record) => write('result ' + JSON.stringify(record) + '\\n'),
  onRunEnd: ({ directory, resumed, ...end }) => write('end ' + JSON.stringify(end) + '\\n'),
});`;

const NAMES = [...Object.keys(REPORTERS), './own-reporter.mjs'];
const fileOf = (folder: string, name: string) => `${folder}/${name.replaceAll(/\W/g, '')}.out`;
const reporterArguments = (folder: string) =>
  NAMES.flatMap((name) => ['--reporter', `${name}=${fileOf(folder, name)}`]);

describe.each([1, 3])('%i repeats', (repeats) => {
  let project: ReturnType<typeof createProject>;
  const results: Record<string, CliResult> = {};

  beforeAll(async () => {
    project = createProject({ ...naughtyProject(), 'own-reporter.mjs': OWN_REPORTER });
    const cwd = project.path;
    const assay = async (folder: string, ...args: string[]) => {
      const env = { GITHUB_WORKSPACE: cwd, GITHUB_STEP_SUMMARY: join(cwd, `${folder}.summary.md`) };
      writeFileSync(env.GITHUB_STEP_SUMMARY, '');
      results[folder] = await runCli([...args, ...reporterArguments(folder)], { cwd, env });
    };
    await assay(
      'live',
      'run',
      'suites',
      '--agent',
      './agent.mjs',
      '--workers',
      '1',
      '--repeats',
      `${repeats}`,
    );
    await assay('reported', 'report');
    await assay('merged', 'merge', 'latest');
    await assay('reported-merged', 'report');
  });
  afterAll(() => project.remove());

  const written = (folder: string, name: string) =>
    normalise(readFileSync(join(project.path, fileOf(folder, name)), 'utf8'));

  test('the run covers everything, and each command has the right exit code', () => {
    expect(Object.values(results).map(({ exitCode }) => exitCode)).toEqual([2, 0, 2, 0]);
    const { summary, findings } = JSON.parse(
      readFileSync(join(project.path, fileOf('live', 'json')), 'utf8'),
    ) as { summary: Record<string, number>; findings: { code: string }[] };
    expect(summary).toMatchObject({
      error: 1,
      skipped: 1,
      flaky: repeats === 1 ? 0 : 1,
      passed: repeats === 1 ? 2 : 1,
    });
    expect(new Set(findings.map(({ code }) => code))).toEqual(new Set(['unknown_assertion', 'absent_path']));
  });

  describe.each(NAMES)('%s', (name) => {
    test.each(['reported', 'merged', 'reported-merged'])('%s gives the same as live', (folder) => {
      expect(written('live', name).length).toBeGreaterThan(100);
      expect(written(folder, name)).toBe(written('live', name));
    });
  });

  test('the step summaries are the same', () => {
    const summary = (folder: string) =>
      normalise(readFileSync(join(project.path, `${folder}.summary.md`), 'utf8'));
    expect(summary('live')).toContain('## Assay: ❌');
    for (const folder of ['reported', 'merged', 'reported-merged'])
      expect(summary(folder)).toBe(summary('live'));
  });

  test('stdout and stderr are the same', () => {
    const withoutFiles = ({ stdout, stderr }: CliResult) =>
      normalise(stdout + stderr).replaceAll(/^Report .*\n/gm, '');
    expect(withoutFiles(results['live']!)).toContain('FAIL fails Says goodbye');
    expect(withoutFiles(results['merged']!)).toBe(withoutFiles(results['live']!));
  });
});
