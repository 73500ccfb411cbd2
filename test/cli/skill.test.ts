import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createProject, runCli } from '../project.ts';

test('`assay init --skill` installs a skill where coding agents look, and its commands and suite work', async () => {
  const project = createProject({});
  const run = (...args: string[]) => runCli(args, { cwd: project.path });
  expect(await run('init')).toMatchObject({ exitCode: 0 });
  expect(await run('init', '--skill')).toMatchObject({ exitCode: 0 });
  const text = readFileSync(join(project.path, '.claude/skills/assay/SKILL.md'), 'utf8');
  expect(readFileSync(join(project.path, '.agents/skills/assay/SKILL.md'), 'utf8')).toBe(text);
  // What the format asks for: https://agentskills.io/specification
  const front = parse(/^---\n([^]*?)\n---\n/.exec(text)![1]!) as { name: string; description: string };
  expect(front.name).toBe('assay');
  expect(front.description.length).toBeLessThanOrEqual(1024);

  const suite = /```yaml\n([^]*?)```/.exec(text)![1]!;
  writeFileSync(join(project.path, 'greeting.test.yaml'), suite);
  const commands = /```sh\n([^]*?)```/.exec(text)![1]!.trim().split('\n');
  expect(commands.length).toBeGreaterThan(6);
  for (const line of [...commands, 'npx assay schema steps']) {
    const words = line.replace(/\s+#.*$/, '').split(' ');
    expect(words.slice(0, 2)).toEqual(['npx', 'assay']);
    const { exitCode, stderr } = await run(...words.slice(2));
    expect({ line, exitCode, stderr }).toMatchObject({ line, exitCode: 0 });
  }
  const claims = [...text.matchAll(/`((?:output|tools_used)(?:\.\w+)?)`/g)].map(([, name]) => name!);
  const named = Object.fromEntries(claims.map((name) => [name, name.startsWith('tools') ? ['x'] : 'x']));
  writeFileSync(
    join(project.path, 'named.test.yaml'),
    JSON.stringify({ id: 'named', input: 'x', assert: named }),
  );
  expect(await run('validate', 'named.test.yaml')).toMatchObject({ exitCode: 0 });

  // Installing it twice changes nothing; a changed one is kept.
  expect((await run('init', '--skill')).stdout).toContain('Unchanged .claude/skills/assay/SKILL.md');
  writeFileSync(join(project.path, '.claude/skills/assay/SKILL.md'), 'mine');
  expect(await run('init', '--skill')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('Kept .claude/skills/assay/SKILL.md, which is yours'),
  });
  expect(readFileSync(join(project.path, '.claude/skills/assay/SKILL.md'), 'utf8')).toBe('mine');
  project.remove();
});
