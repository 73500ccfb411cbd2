import { FORWARD, type BeforeCall, type CallDecision, type ModelCall } from '../observe/before-call.ts';
import type { WatchedCall } from '../observe/before-call.ts';
import { mayBeApiRequest, mayBeModelCall } from '../wire/recognise-model-call.ts';
import { unreadModelCall } from '../wire/unread-model-call.ts';
import { refusedStatus } from '../../base/model/refused-status.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { CleanText } from '../../base/match/clean-text.ts';
import type { Redactor } from '../../base/match/redact-secrets.ts';
import { canonicalRequest, canonicalText, type CanonicalRequest } from './canonical-request.ts';
import { recordingName, type CassettePart, type Recording } from './cassette.ts';
import { describeNearest } from './describe-miss.ts';
import { hasOldMark, hideSecrets, sameButForNames } from './hidden-text.ts';
import { keptRecordings, type KeptRecordings } from './kept-recordings.ts';
import { replayResponse } from './recorded-response.ts';

export type CassetteMode = 'record' | 'replay' | 'new';

export interface TrackOptions {
  readonly mode: CassetteMode;
  readonly part: CassettePart;
  readonly repeat: number;
  /** What there is. Empty where all is recorded anew. */
  readonly recordings: readonly Recording[];
  readonly clean: CleanText;
  readonly redactor: Redactor;
  /** Writes which secret it hides. */
  readonly marker: Redactor;
  readonly withDelays: boolean;
  /** Why a call that is not there is not there. */
  describeMissing(): string;
}

/** The calls of one part of an attempt: answered from what is recorded, or sent and recorded. */
export class Track {
  private readonly options: TrackOptions;
  private readonly slots: readonly Slot[];
  private readonly byText = new Map<string, Slot[]>();
  private readonly made: {
    readonly request: CanonicalRequest;
    readonly exchange: WatchedCall;
  }[] = [];
  private calls = 0;
  /** Calls that were sent although they cannot be recorded. */
  unreadable = 0;

  constructor(options: TrackOptions) {
    this.options = options;
    this.slots = options.recordings.map((recording, index) => {
      const text = canonicalText(recording.request);
      const slot = {
        name: recordingName(options.repeat, options.part, index + 1),
        recording,
        text,
        isUsed: false,
        isNeeded: isNeededAt(recording.request),
      };
      const same = this.byText.get(text);
      if (same === undefined) this.byText.set(text, [slot]);
      else same.push(slot);
      return slot;
    });
  }

  readonly beforeCall: BeforeCall = (call) => {
    const { mode, clean, withDelays } = this.options;
    const number = isNeeded(call) ? ++this.calls : 0;
    const canonical = canonicalRequest(call, clean);
    if (canonical === undefined) return isNeeded(call) ? this.decideUnreadable(call) : this.pass(call);
    const { value: body, json } = hideSecrets(canonical.body, this.options.marker);
    const request = { to: canonical.to, body };
    const slot = mode === 'record' ? undefined : this.find(`${request.to}\n${json}`, call.step);
    if (slot !== undefined) {
      slot.isUsed = true;
      const { response } = slot.recording;
      if (response.status === 0) return { do: 'fail', how: 'reset' };
      return { do: 'answer', answer: replayResponse(response, { withDelays }) };
    }
    if (mode === 'replay' && !isNeeded(call)) return this.pass(call);
    if (mode === 'replay')
      return {
        do: 'refuse',
        kind: 'cassette',
        message: this.describeMiss(call, request, number),
      };
    return {
      do: 'forward',
      watch: (exchange) => void this.made.push({ request, exchange }),
    };
  };

  /** What the file is to hold: what was there and was used again, and what was made. */
  kept(): KeptRecordings & { /** How many of them are new. */ readonly added: number } {
    const made = this.made.map(({ request, exchange }) => ({
      request,
      exchange: exchange.toExchange(),
    }));
    const used = this.slots.filter(({ isUsed }) => isUsed).map(({ recording }) => recording);
    const kept = keptRecordings(made, this.options.redactor);
    return { ...kept, recordings: [...used, ...kept.recordings], added: kept.recordings.length };
  }

  /** Whether the model API answered a call, and refused none for its key. */
  get isAnswered(): boolean {
    const statuses = this.made.map(({ exchange }) => exchange.toExchange().status);
    return statuses.some((status) => status >= 200 && status < 300) && !statuses.some(refusedStatus);
  }

  get isKeyRefused(): boolean {
    return this.made.some(({ exchange }) => refusedStatus(exchange.toExchange().status) !== undefined);
  }

  /** How long the recorded calls of a step took that were used. Calls at the same time count once. */
  replayedMs(step: number): number {
    const used = this.slots.filter(({ isUsed, recording }) => isUsed && recording.step === step);
    const times = used.flatMap(({ recording }) => recording.response.time ?? []);
    let [sum, end] = [0, 0];
    for (const { at, total } of times.toSorted((a, b) => a.at - b.at)) {
      sum += Math.max(0, at + total - Math.max(at, end));
      end = Math.max(end, at + total);
    }
    return sum;
  }

  /** Whether there was any call. */
  get hasCalls(): boolean {
    return this.calls > 0;
  }

  get hasMade(): boolean {
    return this.made.length > 0;
  }

  /** The names of recordings that no call asked for. */
  unused(): readonly string[] {
    return this.slots.filter(({ isUsed, isNeeded: wanted }) => wanted && !isUsed).map(({ name }) => name);
  }

  /** Another step is another question, however alike the request is. */
  private find(text: string, step: number): Slot | undefined {
    const isFree = ({ isUsed, recording }: Slot): boolean => !isUsed && recording.step === step;
    const same = this.byText.get(text)?.find(isFree);
    return same ?? this.slots.find((slot) => isFree(slot) && sameButForNames(slot.text, text));
  }

  /** What no model answers, such as a look whether the server is there, needs no recording. Replayed, it finds nothing. */
  private pass({ method }: ModelCall): CallDecision {
    if (this.options.mode !== 'replay') return FORWARD;
    const isLook = /^(?:HEAD|OPTIONS)$/i.test(method);
    return {
      do: 'answer',
      answer: { status: isLook ? 200 : 404, headers: {}, body: [] },
    };
  }

  private decideUnreadable({ method, path }: ModelCall): CallDecision {
    if (this.options.mode !== 'replay') {
      this.unreadable++;
      return FORWARD;
    }
    const message = `${method} ${path} cannot be replayed: Assay cannot read its body (packed, not JSON, or more than 10 MB)`;
    return { do: 'refuse', kind: 'cassette', message };
  }

  private describeMiss(call: ModelCall, request: CanonicalRequest, number: number): string {
    const { part, clean, describeMissing } = this.options;
    const who =
      part === 'agent' ? `model call ${number} of the attempt (step ${call.step})` : 'a call of the judge';
    const nearest = describeNearest(
      request,
      this.slots.map(({ name, recording, isUsed }) => ({
        name,
        request: recording.request,
        isUsed,
      })),
    );
    const leftOut: string[] = [];
    canonicalRequest(call, (text) => clean(text, leftOut));
    const lines = [
      `${who} was not recorded: ${describeMissing()}`,
      ...(this.slots.some(({ text }) => hasOldMark(text)) ? [OLD_MARKS] : []),
      ...(nearest === undefined ? [] : [nearest]),
      ...(leftOut.length === 0 ? [] : [describeIgnored(leftOut)]),
    ];
    return lines.join('\n');
  }
}

/** Whether the agent cannot go on as recorded without its answer: a model's, or that of another request to a model API. */
function isNeeded({ method, path, request, isModelCall }: ModelCall): boolean {
  if (isModelCall || mayBeModelCall(method, path) || mayBeApiRequest(method, path)) return true;
  return unreadModelCall(method, path, request === undefined ? undefined : printJson(request)) !== undefined;
}

function isNeededAt({ to, body }: CanonicalRequest): boolean {
  const [method = '', path = ''] = to.split(' ', 2);
  return isNeeded({ method, path, request: body, step: 0, isModelCall: false });
}

const OLD_MARKS =
  'it was recorded by an earlier Assay, which did not write down which secret it hides: record again with --cassettes record';

function describeIgnored(leftOut: readonly string[]): string {
  const shown = [...new Set(leftOut)].slice(0, 5).map((text) => JSON.stringify(text.slice(0, 80)));
  const more = new Set(leftOut).size - shown.length;
  return `ignored in this request (\`cassettes.ignore\`): ${shown.join(', ')}${more > 0 ? `, ... and ${more} more` : ''}`;
}

interface Slot {
  readonly name: string;
  readonly recording: Recording;
  readonly text: string;
  readonly isNeeded: boolean;
  isUsed: boolean;
}
