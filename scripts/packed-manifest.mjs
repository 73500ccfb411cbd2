// The package.json in the package: without the scripts that only a clone needs. With `prepare` in it, npm would warn people
// about install scripts. `npm pack` and `npm publish` call this before and after they read the file:
//   hide PID   takes the scripts out, and puts them back when the process PID (npm) is gone without a `restore`
//   restore    puts them back
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const FILE = 'package.json';
const ORIGINAL = 'node_modules/.packing/package.json';
const ONLY_IN_A_CLONE = ['prepare', 'prepack', 'postpack'];

const [action, pid] = process.argv.slice(2);
if (action === 'hide') hide();
else if (action === 'restore') restore();
else await restoreWhenGone(Number(pid));

function hide() {
  // What a killed computer left behind.
  restore();
  const text = readFileSync(FILE, 'utf8');
  const manifest = JSON.parse(text);
  for (const name of ONLY_IN_A_CLONE) delete manifest.scripts[name];
  mkdirSync(dirname(ORIGINAL), { recursive: true });
  writeFileSync(ORIGINAL, text);
  // npm does not call `restore` when packing fails or is interrupted.
  spawn(process.execPath, [import.meta.filename, 'restore-when-gone', pid], {
    detached: true,
    stdio: 'ignore',
  }).unref();
  writeFileSync(FILE, `${JSON.stringify(manifest, null, 2)}\n`);
}

function restore() {
  if (existsSync(ORIGINAL)) renameSync(ORIGINAL, FILE);
}

async function restoreWhenGone(npm) {
  while (existsSync(ORIGINAL) && isRunning(npm)) await setTimeout(50);
  restore();
}

function isRunning(id) {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}
