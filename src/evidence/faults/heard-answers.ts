import type { ModelAnswer, ModelCall } from '../observe/before-call.ts';
import type { WatchedCall } from '../observe/before-call.ts';
import type { Exchange } from '../exchange.ts';
import type { AskedCall } from '../entry.ts';
import { readModelCall } from '../wire/read-model-call.ts';

/** Knows what the model said in an attempt, as far as the agent heard it: which tools it wants to have called. */
export class HeardAnswers {
  private readonly answers: Answer[] = [];

  /** A call that goes to the model. */
  watch(exchange: WatchedCall): void {
    this.answers.push({ read: () => exchange.toModelExchange() });
  }

  /** The same answer, which is kept while it is given. */
  keep(call: ModelCall, answer: ModelAnswer): ModelAnswer {
    const pieces: Uint8Array[] = [];
    this.answers.push({ read: () => toExchange(call, answer, pieces) });
    return { ...answer, body: keepPieces(answer.body, pieces) };
  }

  /** The calls that the agent was to make so far, in the order in which the model asked for them. */
  askedCalls(): readonly AskedCall[] {
    return this.answers.flatMap((answer) => (answer.calls ??= readCalls(answer)) ?? []);
  }
}

interface Answer {
  read(): Exchange | undefined;
  /** Once it is whole. */
  calls?: readonly AskedCall[] | undefined;
}

function readCalls({ read }: Answer): readonly AskedCall[] | undefined {
  const exchange = read();
  const outcome = exchange === undefined ? undefined : readModelCall(exchange)?.outcome;
  if (outcome?.kind !== 'answered') return undefined;
  return outcome.answer.calls.filter(({ executed_by }) => executed_by === undefined);
}

async function* keepPieces(body: ModelAnswer['body'], pieces: Uint8Array[]): AsyncGenerator<Uint8Array> {
  for await (const piece of body) {
    pieces.push(piece);
    yield piece;
  }
}

function toExchange(
  { method, path, request, step }: ModelCall,
  { status, headers }: ModelAnswer,
  pieces: readonly Uint8Array[],
): Exchange {
  return {
    seq: 0,
    step,
    started_ms: 0,
    ended_ms: 0,
    method,
    path,
    request,
    status,
    response_headers: headers,
    response_text: Buffer.concat(pieces).toString('utf8'),
  };
}
