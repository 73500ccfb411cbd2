import type { AgentRequest } from '../base/model/reply.ts';
import { closest } from '../base/schema/did-you-mean.ts';
import { monotonicMs } from '../base/system/system-time.ts';
import { AgentError, type RawReply } from './contract.ts';
import { parseBatch } from './parse-batch.ts';
import { unknownIds } from '../evidence/reply/reply-warning.ts';
import { stoppedError } from './stopped-error.ts';
import { raceAbort } from './race-abort.ts';
import { findUnknownIds } from './unknown-batch-ids.ts';

type Batch = Promise<ReadonlyMap<string, RawReply>>;

export type RunBatch = (
  request: AgentRequest,
  signal: AbortSignal,
) => Promise<{ readonly text: string; readonly printed: string }>;

/**
 * The calls of an agent that answers all tests of a suite at once. There is one call per suite and repeat: one
 * reply used for two repeats would be one sample, counted twice.
 */
export class BatchCalls {
  private readonly run: RunBatch;
  private readonly batches = new Map<string, Batch>();

  constructor(run: RunBatch) {
    this.run = run;
  }

  async answer({ test: { id, file }, step, attempt }: AgentRequest, signal: AbortSignal): Promise<RawReply> {
    if (step > 1)
      throw new AgentError(
        'contract',
        `a batch has one answer per test, but this is step ${step}: give the test one step, or remove provider_batching`,
      );
    const batch = this.batchOf({ id, file, attempt }, signal);
    const answers = await raceAbort(batch, signal).catch((error: unknown) => {
      throw error === signal.reason ? stoppedError(signal) : error;
    });
    const answer = answers.get(id);
    if (answer === undefined) throw new AgentError('agent', describeMissing(id, [...answers.keys()]));
    return answer;
  }

  /** Whoever asks first starts the call, and its limit is that of the call: nobody may pass with an answer that came later. */
  private batchOf(asked: AskedTest, signal: AbortSignal): Batch {
    const { file, attempt } = asked;
    const key = `${attempt} ${file}`;
    let batch = this.batches.get(key);
    if (batch === undefined) {
      batch = this.call(asked, signal).catch((error: unknown) => {
        if (signal.aborted) throw new AgentError('timeout', TOO_LONG, { cause: error });
        // A failure on the way to the agent may be retried.
        if (error instanceof AgentError && error.kind === 'infrastructure') this.batches.delete(key);
        throw error;
      });
      this.batches.set(key, batch);
    }
    return batch;
  }

  private async call({ id: asked, file, attempt }: AskedTest, signal: AbortSignal): Batch {
    const start = monotonicMs();
    const test = { id: 'batch', file };
    const request = {
      input: '',
      input_messages: [],
      messages: [],
      conversation_id: '',
      memory: {},
      settings: {},
      test,
      step: 1,
      attempt,
    };
    const answers = parseBatch(await this.run(request, signal));
    // Later tests do not wait, so the call's duration does not apply to them.
    const durationMs = monotonicMs() - start;
    const unknown = await findUnknownIds(file, { asked, ids: [...answers.keys()] });
    const warning = unknown.length === 0 ? undefined : unknownIds(unknown);
    return new Map(
      [...answers].map(([id, answer]) => {
        // Reported once for each call, with the answer of the test that started it.
        const own = id === asked ? (warning ?? answer.warning) : answer.warning;
        return [id, { ...answer, durationMs, warning: own }];
      }),
    );
  }
}

interface AskedTest {
  readonly id: string;
  readonly file: string;
  readonly attempt: number;
}

/** Ids that nobody asked for are most likely the ones that were meant. */
function describeMissing(id: string, ids: readonly string[]): string {
  const near = closest(id, ids);
  const listed = ids.slice(0, 5).map((each) => JSON.stringify(each));
  const more = ids.length > 5 ? `, and ${ids.length - 5} more` : '';
  const hint =
    near === undefined ? `it has ${listed.join(', ')}${more}` : `did you mean ${JSON.stringify(near)}?`;
  return `the batch has no line with the id ${JSON.stringify(id)}: ${hint}`;
}

const TOO_LONG = 'the batch for this test took longer than the limit for an attempt (--timeout)';
