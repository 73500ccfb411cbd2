import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const NAME = 'ASSAY_TEST_MARK';

export interface TrackedProcesses {
  /** For the started process: its children inherit it. */
  readonly env: Readonly<Record<string, string>>;
  /** The command lines of what runs. */
  living(): readonly string[];
  /** Those that are left once everybody had time to die. */
  orphans(): Promise<readonly string[]>;
}

/** Finds every process that inherited a unique variable, wherever it has moved since (Linux). */
export function trackProcesses(): TrackedProcesses {
  const mark = `${NAME}=${randomUUID()}`;
  const living = (): readonly string[] => processIds().flatMap((id) => commandLine(id, mark) ?? []);
  return {
    env: { [NAME]: mark.slice(NAME.length + 1) },
    living,
    async orphans() {
      // A killed process is gone a moment later.
      for (let tries = 0; tries < 40 && living().length > 0; tries++) await sleep(25);
      return living();
    },
  };
}

function processIds(): readonly string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
}

function commandLine(id: string, mark: string): string | undefined {
  try {
    if (!readFileSync(`/proc/${id}/environ`, 'latin1').split('\0').includes(mark)) return undefined;
    return readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return undefined;
  }
}
