import { execFile } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { CLI, createProject, userEnvironment } from '../project.ts';

test('run --changed runs every test again after Assay was updated', async () => {
  const project = createProject({
    'agent.mjs': 'export const agent = () => "kind";\n',
    'assay.config.yaml': 'agent: ./agent.mjs\n',
    'a.test.yaml': '- {id: a, input: hi, assert: {output.includes: kind}}\n',
  });
  const newer = join(project.path, 'node_modules', 'newer');
  cpSync(dirname(CLI), newer, { recursive: true });
  const chunks = join(newer, 'chunks');
  const file = join(
    chunks,
    readdirSync(chunks).find((name) => name.startsWith('package-'))!,
  );
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(packageJson.version);
  writeFileSync(file, text.replaceAll(packageJson.version, '99.0.0'));
  const run = async (cli: string): Promise<string> => {
    const options = { cwd: project.path, env: userEnvironment() };
    const { stdout } = await promisify(execFile)(process.execPath, [cli, 'run', '--changed'], options);
    return stdout;
  };

  const isKept = '1 of 1 results come from the earlier run';
  await run(CLI);
  expect(await run(CLI)).toContain(isKept);
  const updated = await run(join(newer, 'cli.cjs'));
  expect(updated).toContain('1 passed (1)');
  expect(updated).not.toContain(isKept);
  project.remove();
});
