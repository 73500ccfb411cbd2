import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProject, startCli } from '../project.ts';

/** Newer Nodes keep what they compile themselves. */
const isOurs = !('enableCompileCache' in module);

let project: ReturnType<typeof createProject>;
let home: string;
beforeEach(() => {
  project = createProject({
    'agent.mjs': 'export const agent = (input) => `You said ${input}`;\n',
    'a.test.yaml': 'input: hello\nassert: { output.includes: hello }\n',
  });
  home = join(project.path, 'home');
  mkdirSync(home);
});
afterEach(() => project.remove());

/** Without a process of the agent, which may be ended before it has written its own. */
async function runTests(env: Record<string, string> = {}): Promise<void> {
  const result = await startCli(['run', '--agent', './agent.mjs'], {
    cwd: project.path,
    env: { XDG_CACHE_HOME: home, ASSAY_ISOLATE: 'false', ...env },
  });
  expect(result.stderr).toBe('');
  expect(result.stdout).toContain('1 passed');
  expect(result.exitCode).toBe(0);
}

function keptFiles(): readonly string[] {
  const folder = join(home, 'assay', `${process.version}-${process.arch}`);
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

test.runIf(isOurs)('compiled code is cached, and the next run uses the cache', async () => {
  await runTests();
  const kept = keptFiles();
  expect(kept.some((path) => path.includes('core-'))).toBe(true);
  const contents = kept.map((path) => readFileSync(path, 'latin1'));
  await runTests();
  expect(keptFiles()).toEqual(kept);
  expect(kept.map((path) => readFileSync(path, 'latin1'))).toEqual(contents);
});

test.runIf(isOurs)('the process of an agent keeps its own', async () => {
  const keeps = async (): Promise<boolean> => {
    await runTests({ ASSAY_ISOLATE: 'true' });
    return keptFiles().some((path) => basename(path).startsWith('host-'));
  };
  await expect.poll(keeps).toBe(true);
});

test.runIf(isOurs).each([
  ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
  ['empty', () => Buffer.alloc(0)],
  [
    'changed in one byte',
    (bytes: Buffer) =>
      Buffer.concat([bytes.subarray(0, -9), Buffer.from([bytes.at(-9)! ^ 1]), bytes.subarray(-8)]),
  ],
])('what was kept and is %s is not used, and replaced', async (_what, damage) => {
  await runTests();
  const damaged = keptFiles().map((path) => [path, damage(readFileSync(path))] as const);
  for (const [path, bytes] of damaged) writeFileSync(path, bytes);
  await runTests();
  for (const [path, bytes] of damaged) expect(readFileSync(path).equals(bytes)).toBe(false);
});

test('a cache that cannot be written causes no message', async () => {
  writeFileSync(join(home, 'assay'), '');
  chmodSync(home, 0o500);
  await runTests();
  await runTests({ XDG_CACHE_HOME: '/proc/nowhere' });
  chmodSync(home, 0o700);
});

test('NODE_DISABLE_COMPILE_CACHE switches the cache off', async () => {
  await runTests({ NODE_DISABLE_COMPILE_CACHE: '1' });
  expect(keptFiles()).toEqual([]);
});
