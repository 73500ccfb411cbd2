import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import { effort } from '../effort.ts';
import { createProject } from '../project.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** npm takes seconds for each of these. */
const isLong = effort({ short: false, long: true });
const MANIFEST = readFileSync(join(ROOT, 'package.json'), 'utf8');

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
}

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

/** The repository with a build that does nothing: a real one would take dist away from other tests. */
function repository() {
  const { scripts } = JSON.parse(MANIFEST) as Manifest;
  const manifest = MANIFEST.replace(
    JSON.stringify(scripts['build']),
    JSON.stringify(`node --eval "fs.writeFileSync('dist/built', '')"`),
  );
  const { path, remove } = createProject({ 'package.json': manifest, 'dist/cli.cjs': '' });
  cleanUps.push(remove);
  cpSync(join(ROOT, 'scripts/packed-manifest.mjs'), join(path, 'scripts/packed-manifest.mjs'));
  const npm = (...args: readonly string[]) => promisify(execFile)('npm', args, { cwd: path });
  return { path, manifest, npm, read: () => readFileSync(join(path, 'package.json'), 'utf8') };
}

test('the package has no script that npm runs or warns about when it is installed; the repository keeps them', async () => {
  expect((JSON.parse(MANIFEST) as Manifest).scripts['prepare']).toBe('npm run build');
  const { path, manifest, npm, read } = repository();
  await npm('pack');
  expect(read()).toBe(manifest);
  expect(existsSync(join(path, 'dist/built'))).toBe(true);
  execFileSync('tar', ['-xzf', 'assay-0.1.0.tgz'], { cwd: path });
  const { scripts: before, ...rest } = JSON.parse(manifest) as Manifest;
  const { prepare: _prepare, prepack: _prepack, postpack: _postpack, ...scripts } = before;
  expect(JSON.parse(readFileSync(join(path, 'package/package.json'), 'utf8'))).toEqual({ ...rest, scripts });
  expect(Object.keys(scripts).filter((name) => /^(?:pre|post)?install$|prepare/.test(name))).toEqual([]);
  const user = createProject({});
  cleanUps.push(() => user.remove());
  const args = ['install', '--offline', '--foreground-scripts', join(path, 'assay-0.1.0.tgz')];
  const { stdout, stderr } = await promisify(execFile)('npm', args, { cwd: user.path });
  expect(`${stdout}${stderr}`).not.toMatch(/install-scripts|prepare/);
});

test.runIf(isLong)('publishing leaves package.json as it is', async () => {
  const { manifest, npm, read } = repository();
  await npm('publish', '--dry-run');
  expect(read()).toBe(manifest);
});

test.runIf(isLong)('package.json is restored when packing fails or npm is killed', async () => {
  const { path, manifest, npm, read } = repository();
  await expect(npm('pack', '--pack-destination', 'not/there')).rejects.toThrow('ENOENT');
  await vi.waitFor(() => expect(read()).toBe(manifest), { timeout: 10_000 });
  // As if npm were gone: no process has this number.
  mkdirSync(join(path, 'node_modules'), { recursive: true });
  execFileSync(process.execPath, ['scripts/packed-manifest.mjs', 'hide', '2147483646'], { cwd: path });
  await vi.waitFor(() => expect(read()).toBe(manifest), { timeout: 10_000 });
});
