import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

/*
 * The CPU time that each test file takes, in milliseconds: that of the process of the tests, and that of the processes it started,
 * whether they ended or wait for the next test (test/run-warm.ts). `TEST_CPU=cpu.jsonl npx vitest run`. Linux only.
 */

const shared = globalThis as { cpuBefore?: Cpu };
const before = shared.cpuBefore ?? { own: 0, children: 0 };
const startedAt = performance.now();

afterAll(() => {
  const now = cpuNow();
  shared.cpuBefore = now;
  const line = {
    file: expect.getState().testPath,
    own: now.own - before.own,
    children: now.children - before.children,
    wall: Math.round(performance.now() - startedAt),
  };
  appendFileSync(process.env['TEST_CPU']!, `${JSON.stringify(line)}\n`);
});

interface Cpu {
  readonly own: number;
  readonly children: number;
}

function cpuNow(): Cpu {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const stats = processes.flatMap((name) => statOf(Number(name)));
  const self = stats.find(({ pid }) => pid === process.pid)!;
  const tree = new Set([process.pid]);
  // A parent may come after its child.
  for (let size = 0; size !== tree.size;) {
    size = tree.size;
    for (const { pid, parent } of stats) if (tree.has(parent)) tree.add(pid);
  }
  const living = stats.filter(({ pid }) => pid !== process.pid && tree.has(pid));
  return {
    own: self.own,
    children: living.reduce((sum, { own, ended }) => sum + own + ended, self.ended),
  };
}

interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly own: number;
  /** Of its children that ended. */
  readonly ended: number;
}

function statOf(pid: number): readonly Stat[] {
  try {
    // See proc(5): ppid, and utime, stime, cutime and cstime in hundredths of a second.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ').map(Number);
    const [user = 0, system = 0, ofChildren = 0, systemOfChildren = 0] = fields.slice(11, 15);
    return [
      { pid, parent: fields[1]!, own: (user + system) * 10, ended: (ofChildren + systemOfChildren) * 10 },
    ];
  } catch {
    // It has ended.
    return [];
  }
}
