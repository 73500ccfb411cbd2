import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startCutProxy, type CutProxy, type NetworkFault } from '../servers/cut-proxy.ts';
import { throughProxy, type CreateQueue, type TestQueue } from './both-servers.ts';
import { Cluster, inputs, suite, type CliProcess } from './cluster.ts';

/** The network between the queue and some of its clients fails for a while. */
export interface Blip {
  readonly fault: NetworkFault;
  readonly forMs: number;
  readonly of: 'run' | 'worker' | 'both';
  /** When it begins: before anybody starts, or once as much has happened. */
  readonly at: 'start' | { readonly connections?: number; readonly chunks?: number; readonly calls?: number };
}

const COUNT = 24;
const FILES = { 'a.test.yaml': suite([...inputs('slow', 4), ...inputs('t', COUNT - 4)]) };

const REFUSED: Blip = { fault: 'refuse', forMs: 2000, of: 'both', at: 'start' };
const RESET_AT_ONCE: Blip = { fault: 'reset new', forMs: 1200, of: 'both', at: { connections: 2 } };
const RESET: Blip = { fault: 'reset', forMs: 500, of: 'both', at: { calls: 6 } };

export const FEW_BLIPS: readonly Blip[] = [REFUSED, RESET_AT_ONCE, RESET];
/** Each of the few on one of the servers. */
export const FEWER_BLIPS = { redis: [REFUSED, RESET], postgres: [RESET_AT_ONCE] } as const;

const MOMENTS: readonly Blip['at'][] = [
  'start',
  { connections: 1 },
  { connections: 3 },
  { chunks: 10 },
  { chunks: 40 },
  { chunks: 120 },
  { calls: 8 },
];
const FAULTS: readonly Pick<Blip, 'fault' | 'forMs'>[] = [
  { fault: 'reset new', forMs: 1500 },
  { fault: 'reset', forMs: 700 },
  { fault: 'refuse', forMs: 2500 },
  { fault: 'hold', forMs: 3000 },
  { fault: 'stall', forMs: 11_000 },
];
const WHO: readonly Blip['of'][] = ['run', 'worker'];

export const MANY_BLIPS: readonly Blip[] = [
  ...FEW_BLIPS,
  ...FAULTS.flatMap((fault) => MOMENTS.flatMap((at) => WHO.map((of) => ({ ...fault, at, of })))),
];

/** Tests for a table of blips, each with its own queue. */
export function testBlips(createQueue: CreateQueue, blips: readonly Blip[]): void {
  test.concurrent.each(blips.map((blip) => [titleOf(blip), blip] as const))(
    '%s: waited for, every record once, and the worker serves the next run',
    async (_title, blip) => {
      await surviveBlip(blip, await createQueue());
    },
    300_000,
  );
}

function titleOf({ fault, forMs, of, at }: Blip): string {
  const moment = at === 'start' ? at : Object.entries(at).map(([what, count]) => `${count} ${what}`)[0];
  return `${fault} for ${forMs} ms, of ${of}, at ${moment}`;
}

async function surviveBlip(blip: Blip, { url, port }: TestQueue): Promise<void> {
  const cluster = new Cluster(url, FILES);
  const proxy = await startCutProxy(port);
  const far = throughProxy(url, proxy);
  try {
    const queueOf = (who: 'run' | 'worker'): string => (blip.of === 'both' || blip.of === who ? far : url);
    const over = new AbortController();
    const isMended = failOnce(proxy, { blip, cluster, signal: over.signal });
    const worker = cluster.start(['worker', '--queue', queueOf('worker'), '--concurrency', '3']);
    const run = cluster.run('a.test.yaml', '--queue', queueOf('run'));
    const code = await run.ended;
    expect(`${code} ${run.stderr}`).toMatch(/^0 /);
    expectEachOnce(cluster, COUNT);
    expect(run.stderr).not.toContain('queue_data_lost');
    over.abort();
    await isMended;

    const next = cluster.run('a.test.yaml', '--queue', url);
    expect(`${await next.ended} ${next.stderr}`).toMatch(/^0 /);
    expectEachOnce(cluster, 2 * COUNT);
    await expectPolite(worker);
  } finally {
    await cluster.stop();
    await proxy.stop();
  }
}

/** A moment that does not come before `signal` says that the run is over is let go. */
async function failOnce(
  proxy: CutProxy,
  { blip, cluster, signal }: { blip: Blip; cluster: Cluster; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted && !hasCome(blip.at, proxy, cluster)) await sleep(2);
  if (signal.aborted) return;
  await proxy.fail(blip.fault);
  await sleep(blip.forMs);
  await proxy.mend();
}

function hasCome(at: Blip['at'], proxy: CutProxy, cluster: Cluster): boolean {
  if (at === 'start') return true;
  const { connections = 0, chunks = 0, calls = 0 } = at;
  return (
    proxy.connections >= connections &&
    proxy.chunks >= chunks &&
    (calls === 0 || cluster.calls().length >= calls)
  );
}

function expectEachOnce(cluster: Cluster, count: number): void {
  const records = cluster.records();
  expect(records.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
  expect(records.length).toBe(count);
  const ids = [...new Set(records.map(({ id }) => id))];
  expect(ids.map((id) => records.filter((record) => record.id === id).length)).toEqual(
    Array(COUNT).fill(count / COUNT),
  );
}

async function expectPolite(worker: CliProcess): Promise<void> {
  worker.child.kill('SIGTERM');
  expect(`${await worker.ended} ${worker.stderr}`).toMatch(/^0 /);
}
