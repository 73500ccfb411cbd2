import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SCRIPTS = join(ROOT, 'scripts', 'stats-oracle');

test.each(readdirSync(SCRIPTS).filter((name) => name.endsWith('.py')))(
  'the recorded values are those that %s prints',
  // They compute for long, and a busy machine makes it longer.
  { timeout: 300_000 },
  (name) => {
    const recorded = join(
      ROOT,
      'test',
      'fixtures',
      'stats',
      name.replace('.py', '.json').replaceAll('_', '-'),
    );
    const { stdout, stderr } = spawnSync('python3', [join(SCRIPTS, name)], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout).toBe(readFileSync(recorded, 'utf8'));
  },
);
