import type { Obstacle } from '../../checks/contract/preflight.ts';
import type { AttemptRecord, RecordedError } from '../../base/model/record.ts';
import type { StoppedTarget } from '../../base/model/summary.ts';
import type { Attempt, AttemptPreflight } from '../attempt/attempt.ts';

/** A target whose first attempts all end with the same error, this many of them, is not called any more. */
const SAME_ERRORS = 5;

/** Decides, from the results of a run, which targets are not called any more because nothing works. */
export class TargetStops {
  private readonly targets = new Map<string, TargetState>();
  private readonly preflight: AttemptPreflight | undefined;
  private stops = 0;

  /** `preflight` tells which tests need a judge. */
  constructor(preflight: AttemptPreflight | undefined) {
    this.preflight = preflight;
  }

  /** The result of an attempt that ran now. */
  add({ target, verdict, error }: AttemptRecord): void {
    let state = this.targets.get(target);
    if (state === undefined) this.targets.set(target, (state = { hasWorked: false, errors: 0 }));
    if (state.stop !== undefined) return;
    if (error === undefined) {
      if (verdict !== 'skipped') state.hasWorked = true;
      return;
    }
    const reason = refusal(error, state) ?? (isSameAgain(error, state) ? 'same_error' : undefined);
    if (reason === undefined) return;
    state.stop = { target, reason, error, not_started: 0 };
    this.stops++;
  }

  /** Undefined: nothing speaks against the attempt. The check costs nothing while every target works. */
  stopOf(attempt: Attempt): Promise<LeaveOut | undefined> | undefined {
    if (this.stops === 0) return undefined;
    const stop = this.targets.get(attempt.target)?.stop;
    return stop === undefined ? undefined : this.leaveOutOf(attempt, stop);
  }

  /** The targets that left something out. */
  list(): readonly StoppedTarget[] {
    return [...this.targets.values()].flatMap(({ stop }) =>
      stop === undefined || stop.not_started === 0 ? [] : [stop],
    );
  }

  /** A refused judge says nothing about the tests that need none. */
  private async leaveOutOf(attempt: Attempt, stop: OpenStop): Promise<LeaveOut | undefined> {
    if (stop.reason === 'judge_key_refused' && !(await this.needsJudge(attempt))) return undefined;
    return () => void stop.not_started++;
  }

  private async needsJudge({ test, file, target }: Attempt): Promise<boolean> {
    if (this.preflight === undefined) return true;
    const { checks, host } = this.preflight;
    const asked = { ...host({ file, target }), findJudge: () => Promise.resolve([JUDGE_NEEDED]) };
    const stopped = await checks.check(test, asked);
    return stopped.some(({ obstacles }) => obstacles.includes(JUDGE_NEEDED));
  }
}

/** Counts an attempt that is left out. */
type LeaveOut = () => void;

type OpenStop = { -readonly [K in keyof StoppedTarget]: StoppedTarget[K] };

interface TargetState {
  /** It was measured, or failed in another way: the same error again is not all that it has. */
  hasWorked: boolean;
  /** How many attempts ended with the same error. */
  errors: number;
  key?: string;
  stop?: OpenStop;
}

const JUDGE_NEEDED: Obstacle = { code: 'no_judge', kind: 'judge', message: '', isLocal: true };

/** A 403 of a target that has worked is about that request, not about the key. */
function refusal(
  { kind, refused_status }: RecordedError,
  { hasWorked }: TargetState,
): StoppedTarget['reason'] | undefined {
  if (refused_status === undefined || (refused_status === 403 && hasWorked)) return undefined;
  return kind === 'judge' || kind === 'assertion' ? 'judge_key_refused' : 'key_refused';
}

function isSameAgain({ kind, message }: RecordedError, state: TargetState): boolean {
  if (state.hasWorked) return false;
  const key = `${kind} ${withoutNumbers(message)}`;
  state.key ??= key;
  if ((kind !== 'infrastructure' && kind !== 'timeout') || state.key !== key) {
    state.hasWorked = true;
    return false;
  }
  return ++state.errors === SAME_ERRORS;
}

/** Ports, times and the ids of requests differ from one error to the next. */
function withoutNumbers(message: string): string {
  return message.replace(/[\w-]*\d[\w-]*/g, '#');
}
