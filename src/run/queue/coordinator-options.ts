import type { RunOffer } from './protocol.ts';
import type { QueueServer } from './queue-server.ts';

/** Who works on a run, and how far they have got. */
interface FleetStatus {
  readonly workers: number;
  readonly slots: number;
  readonly in_flight: number;
  readonly waiting: number;
  readonly retries: number;
  readonly problem?: string | undefined;
}

export interface CoordinatorOptions {
  readonly server: QueueServer;
  readonly offer: Omit<RunOffer, 'owner' | 'beat' | 'beat_at'>;
  /** The files of the run, with the hashes that workers must find. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Dispatch no more than the workers can run at once: a run that may stop early should not start too much. */
  readonly isCautious: boolean;
  /** How long to wait while there are no workers, or while the queue does not answer. */
  readonly patienceMs: number;
  /** When the run started to wait for the queue. */
  readonly waitsSince: number;
  readonly signal: AbortSignal;
  /** The run cannot continue. */
  readonly onBreak: (error: Error) => void;
  readonly onFleet: (status: FleetStatus) => void;
  readonly onRefusal: (refusal: { readonly worker: string; readonly reason: string }) => void;
  /** What may lose jobs on this server. */
  readonly onWeakness: (weakness: string) => void;
  readonly onDataLoss: (attempts: number) => void;
}
