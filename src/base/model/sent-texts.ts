import type { Json } from './json.ts';
import { printJson } from './print-json.ts';
import type { AttemptRecord } from './record.ts';
import type { TimedCall } from './reply.ts';
import type { SentRequest } from './sent-request.ts';

/*
 * What models were sent. Many calls send the same system prompt and tools, so a run keeps each text once, in `texts.jsonl`.
 *
 * A part is a string: `text:` and the JSON that was sent, or `sha256:` and the hash of that JSON. Before a record is written, its long
 * texts are replaced by their hashes. `left_out` is a text that the run does not keep, because its texts are too large.
 */
export const LEFT_OUT_TEXT = 'left_out';
export const TEXT = 'text:';
export const TEXT_ID = 'sha256:';
/** Before a record is written: the same as a part of an earlier call of the step. */
const SAME = 'same:';
/** An id is nearly as long. */
const LONGEST_INLINE = 200;

/** Tells the texts of one report apart. */
export function shortTextId(id: string): string {
  return id.slice(TEXT_ID.length, TEXT_ID.length + 12);
}

/** Undefined for nothing. */
export function sentText<T extends Json | undefined>(value: T): T extends undefined ? undefined : string;
export function sentText(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : TEXT + printJson(value);
}

/** The calls of a step, with each long text once: an agent with a hundred calls may send the same tools with all of them. */
export function shareTexts(calls: readonly TimedCall[]): readonly TimedCall[] {
  const known = new Map<string, string>();
  return calls.map((call, index) => {
    const parts = Object.entries(call.sent ?? {});
    const shared = parts.map(([name, part]) => {
      if (part === undefined || part.length <= LONGEST_INLINE) return [name, part];
      const earlier = known.get(part);
      if (earlier === undefined) known.set(part, `${SAME}${index} ${name}`);
      return [name, earlier ?? part];
    });
    return parts.length === 0 ? call : { ...call, sent: Object.fromEntries(shared) as SentRequest };
  });
}

/** A record whose long texts are kept elsewhere: `keep` returns the id of a text, or LEFT_OUT_TEXT. */
export function keepTexts(record: AttemptRecord, keep: (text: string) => string): AttemptRecord {
  return mapParts(record, (part) =>
    part.startsWith(TEXT) && part.length > LONGEST_INLINE ? keep(part.slice(TEXT.length)) : part,
  );
}

/** A record with the texts that it refers to. An id that `read` does not know stays. */
export function fillTexts(record: AttemptRecord, read: (id: string) => string | undefined): AttemptRecord {
  return mapParts(record, (part) => {
    const found = part.startsWith(TEXT_ID) ? read(part) : undefined;
    return found === undefined ? part : TEXT + found;
  });
}

/** For records that no run keeps. */
export function withoutTexts(record: AttemptRecord): AttemptRecord {
  return keepTexts(record, () => LEFT_OUT_TEXT);
}

/** The ids of the texts that a record refers to. */
export function textIds(record: AttemptRecord): ReadonlySet<string> {
  const ids = new Set<string>();
  mapParts(record, (part) => {
    if (part.startsWith(TEXT_ID)) ids.add(part);
    return part;
  });
  return ids;
}

type Change = (part: string) => string;

/** The same record if nothing changed: most records have no model calls. */
function mapParts(record: AttemptRecord, change: Change): AttemptRecord {
  const steps = mapList(record.steps, (step) => {
    const timeline = step.timeline && mapList(step.timeline, (call, done) => mapSent(call, done, change));
    const assertions = mapPrompts(step.assertions, change);
    return timeline === step.timeline && assertions === step.assertions
      ? step
      : { ...step, timeline, assertions };
  });
  const assertions = mapPrompts(record.assertions, change);
  return steps === record.steps && assertions === record.assertions
    ? record
    : { ...record, steps, assertions };
}

function mapPrompts(assertions: AttemptRecord['assertions'], change: Change): AttemptRecord['assertions'] {
  return mapList(assertions, (assertion) => {
    const { judge_prompts: prompts } = assertion;
    if (prompts === undefined) return assertion;
    const mapped = mapList(prompts, (prompt) => mapValues(prompt, change));
    return mapped === prompts ? assertion : { ...assertion, judge_prompts: mapped };
  });
}

function mapSent(call: TimedCall, done: readonly TimedCall[], change: Change): TimedCall {
  if (call.sent === undefined) return call;
  const sent = mapValues(call.sent, (part) =>
    part.startsWith(SAME) ? earlierPart(part, done) : change(part),
  );
  return sent === call.sent ? call : { ...call, sent };
}

function earlierPart(part: string, done: readonly TimedCall[]): string {
  const [index, name] = part.slice(SAME.length).split(' ') as [string, keyof SentRequest];
  return done[Number(index)]?.sent?.[name] ?? LEFT_OUT_TEXT;
}

function mapValues<T extends object>(parts: T, change: Change): T {
  const before = Object.entries(parts) as readonly (readonly [string, string | undefined])[];
  const after = before.map(([name, part]) => [name, part && change(part)] as const);
  return after.some(([, part], index) => part !== before[index]![1])
    ? (Object.fromEntries(after) as T)
    : parts;
}

/** `done`: the list so far. */
function mapList<T>(items: readonly T[], change: (item: T, done: readonly T[]) => T): readonly T[] {
  let changed: T[] | undefined;
  for (const [index, item] of items.entries()) {
    const after = change(item, changed ?? items);
    if (after !== item) (changed ??= [...items])[index] = after;
  }
  return changed ?? items;
}
