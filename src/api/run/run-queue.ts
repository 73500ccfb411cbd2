import { randomUUID } from 'node:crypto';
import { relative } from 'node:path';
import type { TargetResolver } from '../../suites/config/target-resolver.ts';
import type { OpenSuite } from '../../suites/load/open-suites.ts';
import { fileFinding } from '../../suites/load/read-suite-file.ts';
import { hideCredentials } from '../../base/match/url-credentials.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { FleetStatus } from '../../show/reporters/reporter.ts';
import { Coordinator } from '../../run/queue/coordinator.ts';
import { PROTOCOL, type RunSettings } from '../../run/queue/protocol.ts';
import type { QueueAddress } from '../../run/queue/queue-address.ts';
import { QueueAway, QueueError } from '../../run/queue/queue-error.ts';
import { connectQueue, type QueueServer } from '../../run/queue/queue-server.ts';
import { version } from '../../base/system/version.ts';
import { gitRevision } from '../basics/git-revision.ts';
import { within } from '../../run/queue/within.ts';
import { monotonicMs } from '../../base/system/system-time.ts';
import { hashFile } from '../../base/files/hash-file.ts';
import { printRunCode } from '../targets/run-code.ts';
import type { RunOptions } from '../basics/run-options.ts';

interface Coordination {
  readonly run_id: string;
  readonly projectRoot: string;
  readonly suites: readonly OpenSuite[];
  readonly resolver: TargetResolver;
  readonly settings: RunSettings;
  /** The run may stop before its plan ends. */
  readonly mayStop: boolean;
  readonly signal: AbortSignal;
  readonly onBreak: (error: Error) => void;
  readonly onFleet: (status: FleetStatus) => void;
  readonly onFinding: (finding: Finding) => void;
}

const DEFAULT_LOST_AFTER_MS = 30_000;
const DEFAULT_PATIENCE_MS = 10 * 60_000;

/** A queue that a run is connected to. */
export class RunQueue {
  private readonly server: QueueServer;
  private readonly patienceMs: number;
  private readonly waitsSince = monotonicMs();

  /** Throws a QueueError if it cannot be used. If it is away, the run waits for it when it starts. */
  static async connect(address: QueueAddress, options: RunOptions): Promise<RunQueue> {
    const server = await connectQueue(address);
    const queue = new RunQueue(server, options.patienceMs ?? DEFAULT_PATIENCE_MS);
    await within(queue.patienceMs, () => server.probe()).catch(async (error: unknown) => {
      if (error instanceof QueueAway) return;
      await server.close();
      throw error;
    });
    return queue;
  }

  private constructor(server: QueueServer, patienceMs: number) {
    this.server = server;
    this.patienceMs = patienceMs;
  }

  /** Starts to dispatch the attempts of a run to the workers on the queue. */
  async coordinate(options: RunOptions, coordination: Coordination): Promise<Coordinator> {
    const { run_id, projectRoot, suites, resolver, settings, mayStop, onFinding, ...rest } = coordination;
    const { agent } = options;
    if (typeof agent === 'function')
      throw new QueueError('workers on a queue cannot call a function in this process', {
        hint: 'name a file, or a target of the config',
      });
    const code = await printRunCode(suites, resolver, projectRoot);
    if (!code.isComplete) onFinding(codeNotCompared(run_id));
    const coordinator = new Coordinator({
      ...rest,
      server: this.server,
      offer: {
        protocol: PROTOCOL,
        version,
        run_id: run_id === '' ? randomUUID() : run_id,
        cwd: relative(projectRoot, process.cwd()),
        git_revision: gitRevision(projectRoot),
        code: code.files,
        agent: agent === undefined ? undefined : hideCredentials(agent),
        agents: code.agents,
        settings,
        lost_after_ms: options.lostAfterMs ?? DEFAULT_LOST_AFTER_MS,
      },
      hashes: new Map(suites.map(({ file, hash }) => [file, hash ?? hashFile(file)])),
      isCautious: mayStop,
      patienceMs: this.patienceMs,
      waitsSince: this.waitsSince,
      onWeakness: (weakness) => onFinding(mayLoseJobs(this.server.shown, weakness)),
      onRefusal: ({ worker, reason }) => onFinding(refused(run_id, worker, reason)),
      onDataLoss: (attempts) => onFinding(dataLost(this.server.shown, attempts)),
    });
    try {
      await coordinator.start();
    } catch (error) {
      await coordinator.close();
      throw error;
    }
    return coordinator;
  }

  close(): Promise<void> {
    return this.server.close();
  }
}

function refused(run_id: string, worker: string, reason: string): Finding {
  const finding = fileFinding(run_id, 'worker_refused', `the worker ${worker} does not join: ${reason}`);
  return { ...finding, severity: 'warning' };
}

function codeNotCompared(run_id: string): Finding {
  const finding = fileFinding(
    run_id,
    'code_not_compared',
    'the agent loads more files than Assay compares with the workers, so the others may differ',
  );
  return { ...finding, severity: 'warning' };
}

function mayLoseJobs(queue: string, weakness: string): Finding {
  const hint = 'set `maxmemory-policy noeviction` in redis.conf';
  return { ...fileFinding(queue, 'queue_may_lose_jobs', weakness, hint), severity: 'warning' };
}

function dataLost(queue: string, attempts: number): Finding {
  const finding = fileFinding(
    queue,
    'queue_data_lost',
    `the queue has lost the results of ${attempts} attempts, or they cannot be read: they are dispatched again`,
    'was it restarted without keeping its data?',
  );
  return { ...finding, severity: 'warning' };
}
