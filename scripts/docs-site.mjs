// The docs site: `npm run docs` serves it, `npm run docs:build` builds it into site/dist. VitePress has its own lock file in
// site/, so that `npm ci` of the project does not install it: this script does, when it is missing or the lock file has changed.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SITE = fileURLToPath(new URL('../site', import.meta.url));
const VITEPRESS = join(SITE, 'node_modules/vitepress/bin/vitepress.js');
const INSTALLED = join(SITE, 'node_modules/.installed-lock.json');

const lock = readFileSync(join(SITE, 'package-lock.json'), 'utf8');
if (!existsSync(VITEPRESS) || !existsSync(INSTALLED) || readFileSync(INSTALLED, 'utf8') !== lock) {
  run('npm', ['ci', '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel', 'error']);
  writeFileSync(INSTALLED, lock);
}
const [command = 'build', ...rest] = process.argv.slice(2);
if (command === 'build') rmSync(join(SITE, 'dist'), { recursive: true, force: true });
run(process.execPath, [VITEPRESS, command, '.', ...rest]);

function run(program, args) {
  // npm of Windows is a script, which needs a shell.
  const shell = program === 'npm' && process.platform === 'win32';
  const { status } = spawnSync(program, args, { cwd: SITE, stdio: 'inherit', shell });
  if (status !== 0) process.exit(status ?? 1);
}
