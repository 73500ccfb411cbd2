import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** A folder of packages that are installed together, so that one that breaks does not stop the others. */
export type Group = 'sdk' | 'node22' | 'claude' | 'codex' | 'gemini-cli' | 'opencode';

/** `npm ci` in the folder of a group, unless that was done for the same lock file. Answers with the folder. */
export async function installGroup(group: Group): Promise<string> {
  const folder = join(FOLDER, group);
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const installed = join(folder, 'node_modules', '.installed-lock.json');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === lock) return folder;
  await npmCi(folder);
  writeFileSync(installed, lock);
  return folder;
}

function npmCi(folder: string): Promise<void> {
  const npm = spawn('npm', ['ci', '--prefer-offline'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
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
