import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** A folder of packages that are installed together, so that one that breaks does not stop the others. */
export type Group =
  | 'sdk'
  | 'node22'
  | 'claude'
  | 'codex'
  | 'gemini-cli'
  | 'opencode'
  | 'vitest3'
  | 'typescript5'
  | 'otel'
  | 'nodes'
  | `stacks/${string}`;

/** `npm ci` in the folder of a group, unless that was done for the same lock file. Answers with the folder. */
export async function installGroup(group: Group): Promise<string> {
  const folder = join(FOLDER, group);
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const installed = join(folder, 'node_modules', '.installed-lock.json');
  const isInstalled = (): boolean => existsSync(installed) && readFileSync(installed, 'utf8') === lock;
  if (isInstalled()) return folder;
  const unlock = await lockFolder(folder);
  try {
    if (isInstalled()) return folder;
    await npmCi(folder);
    writeFileSync(installed, lock);
    return folder;
  } finally {
    unlock();
  }
}

/** Test files run side by side: a program must not be started while another one installs it. */
async function lockFolder(folder: string): Promise<() => void> {
  const path = join(tmpdir(), `assay-install${folder.replaceAll('/', '-')}.lock`);
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      return () => rmSync(path, { force: true });
    } catch {
      if (!isAlive(path)) rmSync(path, { force: true });
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

function isAlive(path: string): boolean {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    // It may have been made and not yet written.
    return pid === 0 || process.kill(pid, 0);
  } catch {
    return false;
  }
}

function npmCi(folder: string): Promise<void> {
  const npm = spawn('npm', ['ci', '--prefer-offline'], {
    cwd: folder,
    env: { ...process.env, NODE_EXTRA_CA_CERTS: process.env['TEST_CA_CERTS'] },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  npm.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    npm.on('error', reject);
    npm.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`npm ci in ${folder} ended with ${code}:\n${stderr}`));
    });
  });
}
