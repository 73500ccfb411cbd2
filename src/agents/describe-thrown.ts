import { inspect } from 'node:util';
import { withoutMarks } from './fresh-modules.ts';

/** What was thrown, with the stack lines of the user's code. `ownFile` is where our own part starts. */
export function describeThrown(thrown: unknown, ownFile: string): string {
  try {
    if (!(thrown instanceof Error)) return shorten(inspect(thrown));
    const frames = userFrames(thrown, ownFile);
    return [`${thrown.name}: ${thrown.message}${describeCause(thrown)}`, ...frames].join('\n');
  } catch {
    return 'something that cannot be shown';
  }
}

/** For a network error, only the cause says what went wrong. */
function describeCause({ cause }: Error): string {
  if (cause === undefined || cause === null) return '';
  return ` (${shorten(cause instanceof Error ? cause.message || cause.name : inspect(cause))})`;
}

function userFrames({ stack }: Error, ownFile: string): readonly string[] {
  const frames = withoutMarks(typeof stack === 'string' ? stack : '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line));
  const ours = frames.findIndex((frame) => frame.includes(ownFile));
  return frames
    .slice(0, ours === -1 ? undefined : ours)
    .filter((frame) => !/\(?node:|\/node_modules\/|data:text\//.test(frame))
    .slice(0, FRAMES);
}

const FRAMES = 5;

function shorten(text: string): string {
  return text.length <= 500 ? text : `${text.slice(0, 500)}...`;
}
