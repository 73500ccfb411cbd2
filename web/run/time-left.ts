import type { LiveState } from '../../src/base/model/page-data.ts';
import { plural } from '../text/format.ts';

/** The first few attempts say little about the others. */
const MIN_ENDED = 3;
const MIN_MS = 2000;

/** How long a run in progress will take, by its pace so far. `done`: attempts of the run, also of an earlier process. */
export function timeLeft({ planned, pace }: Pick<LiveState, 'planned' | 'pace'>, done: number): string {
  if (planned === undefined) return 'Time left unknown: results decide how many attempts follow';
  const left = planned - done;
  if (left <= 0) return 'Nearly done';
  if (pace === undefined || pace.ended < MIN_ENDED || pace.elapsed_ms < MIN_MS)
    return 'Time left not known yet';
  const leftMs = (left * pace.elapsed_ms) / pace.ended;
  return leftMs < 10_000 ? 'A few seconds left' : `About ${roughly(leftMs)} left`;
}

/** No more exact than the estimate is. */
function roughly(durationMs: number): string {
  const seconds = durationMs / 1000;
  if (seconds < 55) return `${Math.round(seconds / 10) * 10} seconds`;
  const minutes = Math.max(1, Math.round(seconds / 60));
  if (minutes < 60) return plural(minutes < 20 ? minutes : Math.round(minutes / 5) * 5, 'minute');
  const hours = minutes / 60;
  return hours < 10 ? plural(Math.round(hours * 2) / 2, 'hour') : plural(Math.round(hours), 'hour');
}
