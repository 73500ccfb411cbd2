import { pack, tryUnpack } from './packed.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import type { BatchResult } from './protocol.ts';
import type { WorkJob, WorkQueue } from './queue-server.ts';

/**
 * A longer result is sent in pieces of this size, as rows of the job's log: neither server handles one huge value
 * well.
 */
const PIECE_CHARACTERS = 4_000_000;

interface Pieces {
  /** Who wrote them: another worker may have started to, and then been lost. */
  readonly by: string;
  readonly count: number;
}

/** The text that a job returns as its result. */
export async function writeResult(job: WorkJob, token: string, result: BatchResult): Promise<string> {
  const packed = pack(result);
  if (packed.length <= PIECE_CHARACTERS) return packed;
  const count = Math.ceil(packed.length / PIECE_CHARACTERS);
  for (let index = 0; index < count; index++) {
    const piece = packed.slice(index * PIECE_CHARACTERS, (index + 1) * PIECE_CHARACTERS);
    await job.log(`${token} ${index} ${piece}`);
  }
  return JSON.stringify({ by: token, count } satisfies Pieces);
}

/** Undefined if it cannot be read, if pieces are missing, or if it is not a result. */
export async function readResult(job: WorkJob, queue: WorkQueue): Promise<BatchResult | undefined> {
  const result = await unpackResult(job, queue);
  return result !== undefined && isResult(result) ? result : undefined;
}

/** Anybody who can write to the queue may have written it: what would break the run is not a result. */
function isResult(result: Partial<BatchResult>): result is BatchResult {
  const { finished, duration_ms } = result;
  return (
    Array.isArray(finished) &&
    typeof duration_ms === 'number' &&
    (finished as readonly Partial<BatchResult['finished'][number]>[]).every(
      (each) => Array.isArray(each?.findings) && isRecord(each.record),
    )
  );
}

const TEXTS = ['id', 'file', 'test', 'target', 'fingerprint', 'started_at'] as const;
const LISTS = ['steps', 'assertions'] as const;
const VERDICTS = new Set<unknown>(['passed', 'failed', 'error', 'skipped', 'not_graded']);

function isRecord(record: Partial<AttemptRecord> | null | undefined): boolean {
  return (
    typeof record === 'object' &&
    record !== null &&
    TEXTS.every((name) => typeof record[name] === 'string') &&
    LISTS.every((name) => Array.isArray(record[name])) &&
    VERDICTS.has(record.verdict)
  );
}

async function unpackResult(job: WorkJob, queue: WorkQueue): Promise<Partial<BatchResult> | undefined> {
  const text: unknown = job.returnvalue;
  if (typeof text !== 'string') return undefined;
  if (!text.startsWith('{')) return tryUnpack<BatchResult>(text);
  const { by, count } = readPieces(text);
  if (by === undefined || count === undefined) return undefined;
  const pieces = new Map<number, string>();
  const { count: rows } = await queue.getJobLogs(job.id!, 0, 0);
  // One by one: together they may be too large for a single response.
  for (let row = 0; row < rows; row++) {
    const { logs } = await queue.getJobLogs(job.id!, row, row);
    const [, writer, index, piece] = /^(\S+) (\d+) (.*)$/s.exec(logs[0] ?? '') ?? [];
    if (writer === by) pieces.set(Number(index), piece!);
  }
  if (pieces.size < count) return undefined;
  return tryUnpack<BatchResult>(Array.from({ length: count }, (_, index) => pieces.get(index)!).join(''));
}

function readPieces(text: string): Partial<Pieces> {
  try {
    const { by, count } = JSON.parse(text) as Partial<Pieces>;
    return typeof by === 'string' && Number.isInteger(count) && count! > 0 ? { by, count: count! } : {};
  } catch {
    return {};
  }
}
