import { execFileSync, spawnSync } from 'node:child_process';

/** The path of a program that a test needs: as it is, or installed by apt where that can be done (root on Debian). */
export function needProgram(names: string | readonly string[], debianPackage: string): string {
  const candidates = typeof names === 'string' ? [names] : names;
  const found = findProgram(candidates);
  if (found !== undefined) return found;
  const line = `apt-get install -y --no-install-recommends ${debianPackage}`;
  if (process.getuid?.() === 0 && findProgram(['apt-get']) !== undefined) {
    // Test files run side by side, and apt wants to be alone.
    const wait = '-o DPkg::Lock::Timeout=300';
    spawnSync('bash', ['-c', `apt-get update -qq; DEBIAN_FRONTEND=noninteractive ${line} -qq ${wait}`], {
      stdio: 'ignore',
    });
    const installed = findProgram(candidates);
    if (installed !== undefined) return installed;
  }
  throw new Error(`these tests need ${candidates.join(' or ')}; install it with: ${line}`);
}

function findProgram(names: readonly string[]): string | undefined {
  for (const name of names) {
    try {
      return execFileSync('bash', ['-c', 'command -v -- "$1"', 'find', name], { encoding: 'utf8' }).trim();
    } catch {
      // Perhaps by its other name.
    }
  }
  return undefined;
}
