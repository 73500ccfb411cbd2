import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createProject, runCli, type CliResult } from '../project.ts';

/** Code that leaves a file behind when it is executed, named after where it stands. */
function canary(name: string): string {
  return `import { writeFileSync } from 'node:fs';
writeFileSync(new URL('${name.includes('/') ? '../' : './'}canaries/${name.replace('/', '-')}', import.meta.url), '');`;
}

const TEST = '- {id: a, input: x, assert: {output.equals: x}}';
const project = createProject({
  'canaries/none': '',
  'assay.config.mjs': `${canary('root')} export default { agent: './agent.mjs', secrets: ['WORD'] };`,
  'agent.mjs': `${canary('agent')} export const agent = (input) => input;`,
  'other.mjs': 'export const agent = (input) => input;',
  'top.test.yaml': TEST,
  'below/assay.config.mjs': `${canary('below/config')} export default { agent: './agent.mjs' };`,
  'below/agent.mjs': `${canary('below/agent')} export const agent = (input) => input;`,
  'below/inner.test.yaml': TEST,
});
afterAll(project.remove);

const executed = (): readonly string[] =>
  readdirSync(join(project.path, 'canaries')).filter((name) => name !== 'none');
beforeEach(() => {
  for (const name of executed()) rmSync(join(project.path, 'canaries', name));
});

const assay = (...args: readonly string[]): Promise<CliResult> =>
  runCli(args, { cwd: project.path, env: { WORD: 'sesame-open' } });

describe('a project whose configs and agents are code', () => {
  test("run executes the root's config and agent, and nothing below it", async () => {
    const { stdout, stderr, exitCode } = await assay('run', '--reporter', 'json');
    expect(executed().toSorted()).toEqual(['agent', 'root']);
    const { results, findings } = JSON.parse(stdout);
    expect(results.map(({ file, verdict }: never) => [file, verdict])).toEqual([['top.test.yaml', 'passed']]);
    expect(findings).toMatchObject([
      { severity: 'error', code: 'config_below_root', file: 'below/assay.config.mjs' },
    ]);
    expect([exitCode, stderr]).toEqual([2, '']);
  });

  test('with --agent, a config below the root is ignored with a warning', async () => {
    const { stdout, exitCode } = await assay('run', '--agent', './other.mjs', '--reporter', 'json');
    expect(executed()).toEqual(['root']);
    const { results, findings } = JSON.parse(stdout);
    expect(results).toHaveLength(2);
    expect(findings).toMatchObject([{ severity: 'warning', code: 'config_below_root' }]);
    expect(exitCode).toBe(0);
  });

  test('--config names one below the root', async () => {
    const { exitCode } = await assay('run', 'below', '--config', 'below/assay.config.mjs');
    expect(executed().toSorted()).toEqual(['below-agent', 'below-config']);
    expect(exitCode).toBe(0);
  });

  test.each([
    ['validate'],
    ['validate', '--json'],
    ['show'],
    ['show', '--json'],
    ['run', '--list'],
    ['check'],
    ['check', '--config', 'assay.config.mjs'],
    ['compare', 'latest', 'latest'],
    ['report', 'latest', '--junit', 'junit.xml', '--html', 'page.html'],
    ['merge', 'latest'],
    ['baseline', 'update'],
    ['schema', 'eval'],
  ])('%s %s %s executes nothing', async (...args) => {
    if (!existsSync(join(project.path, '.assay'))) await assay('run', 'top.test.yaml');
    for (const name of executed()) rmSync(join(project.path, 'canaries', name));
    const { stdout, stderr } = await assay(...args);
    expect(executed()).toEqual([]);
    if (!['baseline', 'schema'].includes(args[0]!)) expect(stdout + stderr).toContain('--trust-config');
  });

  test.each([['validate'], ['show'], ['run', '--list'], ['check'], ['report', 'latest', '--json', '-']])(
    "%s %s %s --trust-config executes only the root's config",
    async (...args) => {
      if (!existsSync(join(project.path, '.assay'))) await assay('run', 'top.test.yaml');
      for (const name of executed()) rmSync(join(project.path, 'canaries', name));
      const { stdout, stderr } = await assay(...args, '--trust-config');
      expect(executed()).toEqual(['root']);
      expect(stdout + stderr).not.toContain('config_not_read');
    },
  );
});
