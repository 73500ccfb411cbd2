import { randomUUID } from 'node:crypto';
import { relative } from 'node:path';
import type { OpenSuite } from '../load/open-suites.ts';
import { fileFinding } from '../load/read-suite-file.ts';
import type { Finding } from '../model/finding.ts';
import type { FleetStatus } from '../reporters/reporter.ts';
import { Coordinator } from '../queue/coordinator.ts';
import { PROTOCOL, type RunSettings } from '../queue/protocol.ts';
import type { QueueAddress } from '../queue/queue-address.ts';
import { QueueError } from '../queue/queue-error.ts';
import { connectQueue } from '../queue/queue-server.ts';
import { version } from '../version.ts';
import { gitRevision } from './git-revision.ts';
import { hashFile } from './hash-file.ts';
import type { RunOptions } from './run.ts';

interface Coordination {
  readonly run_id: string;
  readonly projectRoot: string;
  readonly suites: readonly OpenSuite[];
  readonly settings: RunSettings;
  readonly signal: AbortSignal;
  readonly onBreak: (error: Error) => void;
  readonly onFleet: (status: FleetStatus) => void;
  readonly onFinding: (finding: Finding) => void;
}

const DEFAULT_LOST_AFTER_MS = 30_000;
const DEFAULT_PATIENCE_MS = 10 * 60_000;

/** Connects to a queue, and answers with what begins to give a run's attempts to the workers on it. */
export async function connectCoordinator(
  address: QueueAddress,
): Promise<(options: RunOptions, coordination: Coordination) => Promise<Coordinator>> {
  const server = await connectQueue(address);
  return async (options, { run_id, projectRoot, suites, settings, onFinding, ...rest }) => {
    if (typeof options.agent === 'function')
      throw new QueueError('a function in this process cannot be asked by workers on a queue', {
        hint: 'name a file, or a target of the config',
      });
    const coordinator = new Coordinator({
      ...rest,
      server,
      offer: {
        protocol: PROTOCOL,
        version,
        run_id: run_id === '' ? randomUUID() : run_id,
        cwd: relative(projectRoot, process.cwd()),
        git_revision: gitRevision(projectRoot),
        agent: options.agent,
        target: options.target,
        settings,
        lost_after_ms: options.lostAfterMs ?? DEFAULT_LOST_AFTER_MS,
      },
      hashes: new Map(suites.map(({ file, hash }) => [file, hash ?? hashFile(file)])),
      isCautious: options.bail !== undefined,
      patienceMs: options.patienceMs ?? DEFAULT_PATIENCE_MS,
      onRefusal: ({ worker, reason }) => onFinding(refused(run_id, worker, reason)),
      onDataLoss: (attempts) => onFinding(dataLost(server.shown, attempts)),
    });
    await coordinator.start();
    return coordinator;
  };
}

function refused(run_id: string, worker: string, reason: string): Finding {
  const finding = fileFinding(run_id, 'worker_refused', `the worker ${worker} takes no part: ${reason}`);
  return { ...finding, severity: 'warning' };
}

function dataLost(queue: string, attempts: number): Finding {
  const finding = fileFinding(
    queue,
    'queue_data_lost',
    `the queue has lost ${attempts} attempts that were given out: they are given out again`,
    'was it restarted without keeping its data?',
  );
  return { ...finding, severity: 'warning' };
}
