import type { Exchange } from '../../evidence/exchange.ts';
import type { CallDecision, ModelAnswer, ModelCall } from '../../evidence/observe/before-call.ts';
import type { SeenCalls } from '../../evidence/observe/observation.ts';
import type { ApprovalRequest } from '../../base/model/approval.ts';
import type { AgentErrorDetails } from '../contract.ts';
import type { AgentRequest } from '../../base/model/reply.ts';
import type { Json, JsonObject } from '../../base/model/json.ts';
import type { ErrorKind } from '../../base/model/record.ts';

/* What Assay and the host of an agent's file say to each other, inside of the lines of src/agents/processes/host-process.ts. */

/** The first call: everything else needs the agent. */
export interface LoadRequest {
  readonly load: string;
  readonly name: string;
  readonly exportName?: string | undefined;
  readonly root: string;
  readonly observe: boolean | 'offline';
  /** Of the environment: what differs from that of the process when it was started. */
  readonly variables: Readonly<Record<string, string | null>>;
  /** Somebody wants to know which files it uses: before each answer the host then sends `inputs`, those since the last time. */
  readonly seesInputs: boolean;
}

export interface LoadAnswer {
  readonly workers: number;
  readonly isSilent: boolean;
  /** `performance.timeOrigin`: the clocks of two processes start at different times. */
  readonly origin: number;
}

/** One step. The first of a session opens it. */
export interface SendRequest {
  readonly session: number;
  /** Without `messages`: they are those of this step. */
  readonly request: Omit<AgentRequest, 'messages'> & Partial<Pick<AgentRequest, 'messages'>>;
  readonly opening?: SessionOpening | undefined;
  /** Its telemetry is read: its spans belong below this one, and are sent before it answers. */
  readonly traceparent?: string | undefined;
}

export interface SessionOpening {
  /** Somebody decides about its model calls: the host asks. */
  readonly isDecided?: boolean | undefined;
  readonly takesAllRequests?: boolean | undefined;
  readonly isOffline?: boolean | undefined;
  readonly harmless?: readonly string[] | undefined;
  /** While model calls are replayed: the hosts that may be reached beside this machine. */
  readonly allowedHosts?: readonly string[] | undefined;
}

export interface SendAnswer {
  readonly reply?: Json | undefined;
  readonly output: string;
  readonly timeToFirstTokenMs?: number | undefined;
  readonly waitedMs: number;
  /** Its spans have been sent. */
  readonly isFlushed?: boolean | undefined;
  /** Null: nothing was seen. */
  readonly observed?: SeenCalls | null | undefined;
  readonly watched: readonly WatchedExchange[];
}

/** What a call that failed says. `setup`: the agent cannot be used at all. */
export interface HostFailure extends Omit<AgentErrorDetails, 'cause' | 'printed'> {
  readonly kind: ErrorKind | 'setup';
  readonly message: string;
  readonly output?: string | undefined;
  readonly watched?: readonly WatchedExchange[] | undefined;
}

/** Asks for what is known of a step that was given up. It is answered unless code of users blocks the host. */
export interface LookRequest {
  readonly look: number;
}

/** A session is over. It has no answer. */
export interface CloseNote {
  readonly note: 'close';
  readonly session: number;
}

/** The last call. */
export interface EndAnswer {
  readonly lateCalls: number;
  readonly lateErrors: readonly string[];
  /** Nothing of the agent waits for the end of its process. */
  readonly isQuiet: boolean;
}

/** What was seen of a forwarded call that somebody watches, as far as it has come. */
export interface WatchedExchange {
  readonly watch: number;
  readonly exchange: Exchange;
  readonly isModelCall: boolean;
}

/** Asked before a model call. */
export interface DecideQuestion {
  readonly session: number;
  readonly modelCall: ModelCall;
  readonly before: readonly (Exchange | null)[];
  readonly watched: readonly WatchedExchange[];
}

/** Asked for the next piece of an answer that takes its time. */
interface PieceQuestion {
  readonly session: number;
  readonly piece: number;
}

/** Asked for what the agent gets instead of a response. */
export interface RespondQuestion {
  readonly session: number;
  readonly respond: number;
  readonly whole: Exchange;
}

/** Asked when the agent needs a permission. */
interface ApprovalQuestion {
  readonly session: number;
  readonly approval: ApprovalRequest;
}

/** A call of the session was lost. */
interface LostQuestion {
  readonly session: number;
  readonly isLost: true;
}

export type HostQuestion = DecideQuestion | RespondQuestion | PieceQuestion | ApprovalQuestion | LostQuestion;

/** A decision as data. */
export type DecisionData =
  | {
      readonly do: 'forward';
      readonly request?: JsonObject | undefined;
      /** Somebody watches it under this number, and may change the response. */
      readonly watch?: number | undefined;
      readonly isChanged: boolean;
    }
  | Extract<CallDecision, { readonly do: 'refuse' | 'fail' }>
  | {
      readonly do: 'answer';
      readonly request?: JsonObject | undefined;
      readonly answer: AnswerData;
    };

export interface AnswerData extends Omit<ModelAnswer, 'body'> {
  /** In base64; or the number under which each piece is asked for. */
  readonly body: readonly string[] | number;
}
