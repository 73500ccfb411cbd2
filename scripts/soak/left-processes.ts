import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The command lines of processes that carry a mark in their environment and still run after a while. */
export async function leftProcesses(mark: string, patienceMs: number): Promise<readonly string[]> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const left = marked(mark);
    if (left.length === 0 || Date.now() > end) return left;
    await sleep(100);
  }
}

function marked(mark: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((id) => {
      try {
        if (!readFileSync(`/proc/${id}/environ`, 'latin1').includes(mark)) return [];
        return [`${id} ${readFileSync(`/proc/${id}/cmdline`, 'latin1').replaceAll('\0', ' ').slice(0, 200)}`];
      } catch {
        // It ended while we looked.
        return [];
      }
    });
}
