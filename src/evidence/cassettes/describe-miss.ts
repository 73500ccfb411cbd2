import { jsonDiff, type JsonDifference } from '../../base/match/json-diff.ts';
import type { Json } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { CanonicalRequest } from './canonical-request.ts';

/** A recording that a request can be compared with. */
export interface NamedRecording {
  readonly name: string;
  readonly request: CanonicalRequest;
  readonly isUsed: boolean;
}

/** Which recording a request resembles most, and where it differs from it. Undefined: there is none. */
export function describeNearest(
  request: CanonicalRequest,
  recordings: readonly NamedRecording[],
): string | undefined {
  const nearest = findNearest(request, recordings);
  if (nearest === undefined) return undefined;
  const { recording, differences } = nearest;
  if (differences.length === 0)
    return `recording ${recording.name} is the same request, and was used already`;
  const shown = differences.slice(0, MOST_DIFFERENCES).flatMap(describeDifference);
  const others = differences.length - MOST_DIFFERENCES;
  return [
    `the nearest is recording ${recording.name}${recording.isUsed ? ', which was used already' : ''} (- recorded, + now):`,
    ...shown,
    ...(others > 0 ? [`... and ${others} more differences`] : []),
  ].join('\n');
}

const MOST_DIFFERENCES = 5;

interface Nearest {
  readonly recording: NamedRecording;
  readonly differences: readonly JsonDifference[];
}

/** With the fewest differences; one that was not used yet is preferred. */
function findNearest(request: CanonicalRequest, recordings: readonly NamedRecording[]): Nearest | undefined {
  let nearest: (Nearest & { readonly weight: number }) | undefined;
  for (const recording of recordings) {
    const differences = differencesOf(recording.request, request);
    const size = differences.reduce((sum, each) => sum + weightOf(each), 0);
    const weight = size + (recording.isUsed ? 0.5 : 0);
    if (nearest === undefined || weight < nearest.weight) nearest = { recording, differences, weight };
  }
  return nearest;
}

function differencesOf(recorded: CanonicalRequest, now: CanonicalRequest): readonly JsonDifference[] {
  const to: readonly JsonDifference[] =
    recorded.to === now.to ? [] : [{ kind: 'different', path: 'to', expected: recorded.to, actual: now.to }];
  return [...to, ...jsonDiff(recorded.body, now.body)];
}

/** A message more or less counts for more than a changed text, and another address for more than all. */
function weightOf({ kind, path, expected, actual }: JsonDifference): number {
  if (path === 'to') return 100;
  if (kind !== 'different') return 3;
  return typeof expected === 'string' && typeof actual === 'string' ? 1 + lengthApart(expected, actual) : 2;
}

function lengthApart(one: string, other: string): number {
  const [start, end] = commonEnds(one, other);
  const longest = Math.max(one.length, other.length, 1);
  return (longest - start - end) / longest;
}

function describeDifference({ path, expected, actual }: JsonDifference): readonly string[] {
  const [recorded, now] = [linesOf(expected), linesOf(actual)];
  const [start, end] = commonEnds(recorded, now);
  const removed = recorded.slice(start, recorded.length - end);
  const added = now.slice(start, now.length - end);
  return [`  ${path}:`, ...shorten(removed, '-', now), ...shorten(added, '+', recorded)];
}

function linesOf(value: Json | undefined): readonly string[] {
  if (value === undefined) return [];
  return (typeof value === 'string' ? value : printJson(value, '  ')).split('\n');
}

const MOST_LINES = 6;

function shorten(lines: readonly string[], sign: string, others: readonly string[]): readonly string[] {
  const shown = lines.slice(0, MOST_LINES).map((line) => `  ${sign} ${excerpt(line, others)}`);
  return lines.length > MOST_LINES
    ? [...shown, `  ${sign} ... ${lines.length - MOST_LINES} more lines`]
    : shown;
}

const LONGEST_LINE = 160;

/** Of a long line, the part around where it begins to differ from a line that stands for it. */
function excerpt(line: string, others: readonly string[]): string {
  if (line.length <= LONGEST_LINE) return line;
  const start = Math.max(0, ...others.slice(0, MOST_LINES).map((other) => commonEnds(line, other)[0]));
  const from = Math.max(0, Math.min(start, line.length - 1) - 40);
  const cut = line.slice(from, from + LONGEST_LINE);
  return `${from > 0 ? '...' : ''}${cut}${from + LONGEST_LINE < line.length ? '...' : ''}`;
}

/** How many items two lists, or characters two texts, share at their beginnings and at their ends. */
function commonEnds<T extends string | readonly string[]>(one: T, other: T): readonly [number, number] {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start++;
  let end = 0;
  while (end < most - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++;
  return [start, end];
}
