import { createContext, type ComponentChildren } from 'preact';
import {
  isJsonList,
  isJsonObject,
  objectsIn,
  type Json,
  type JsonObject,
} from '../../src/base/model/json.ts';
import type { AssertionRecord, AttemptRecord } from '../../src/base/model/record.ts';
import type { RecordedToolCall } from '../../src/base/model/reply.ts';
import { callsOf } from './conversation.ts';
import './call-links.css';

/** A tool call of an attempt. Its key is the same in the timeline, the conversation and the assertions. */
export interface LinkedCall {
  readonly key: string;
  /** From 1 on. */
  readonly step: number;
  readonly call: RecordedToolCall;
}

export interface CallLinks {
  readonly calls: readonly LinkedCall[];
  readonly keyOf: ReadonlyMap<RecordedToolCall, string>;
  /** The calls that a failed assertion forbids or did not expect, by their keys. */
  readonly bad: ReadonlySet<string>;
}

const NO_LINKS: CallLinks = { calls: [], keyOf: new Map(), bad: new Set() };
export const CallContext = createContext(NO_LINKS);
/** The calls that an assertion is about: those of its step, or of the whole test. */
export const ScopeContext = createContext<readonly LinkedCall[]>([]);

export function callLinks({ steps, assertions }: AttemptRecord): CallLinks {
  const calls = steps.flatMap((step, index) =>
    callsOf(step).map((call, place) => ({ key: `${index + 1}-${place}`, step: index + 1, call })),
  );
  const bad = new Set(badCalls(assertions, calls));
  for (const [index, step] of steps.entries()) {
    const own = calls.filter((one) => one.step === index + 1);
    for (const key of badCalls(step.assertions, own)) bad.add(key);
  }
  return { calls, keyOf: new Map(calls.map(({ call, key }) => [call, key])), bad };
}

function badCalls(assertions: readonly AssertionRecord[], calls: readonly LinkedCall[]): readonly string[] {
  return assertions.filter(({ passed }) => passed === false).flatMap((one) => badOf(one, calls));
}

function badOf(
  { kind, details, expected }: AssertionRecord,
  calls: readonly LinkedCall[],
): readonly string[] {
  const ofTool = (tool: string, allowed = 0): readonly string[] =>
    calls
      .filter(({ call }) => call.tool === tool)
      .slice(allowed)
      .map(({ key }) => key);
  if (/excludes|not_include/.test(kind) && kind.startsWith('tools_used'))
    return textsOf(expected).flatMap((tool) => ofTool(tool));
  if (kind !== 'tool_trajectory' || !isJsonObject(details)) return [];
  const maximums = isJsonObject(expected) ? expected['maximums'] : undefined;
  const limits = objectsIn(details['limits']).filter(({ holds }) => holds === false);
  const forbidden = limits.flatMap(({ claim }) => {
    const tool = UPPER_LIMIT.exec(String(claim))?.[1];
    if (tool === undefined) return [];
    return ofTool(tool, isJsonObject(maximums) ? Number(maximums[tool] ?? 0) : 0);
  });
  return [...forbidden, ...(allowsExtras(details) ? [] : extrasOf(details, calls))];
}

/** `cancel never`, `find at most twice`: only of these can a call be one too many. */
const UPPER_LIMIT = /^(.+) (?:never|at most .*)$/;

/** Only these modes let other calls be made beside the expected ones. */
function allowsExtras(details: JsonObject): boolean {
  return details['mode'] === 'in_order' || details['mode'] === 'any_order';
}

function extrasOf(details: JsonObject, calls: readonly LinkedCall[]): readonly string[] {
  return objectsIn(details['extra']).flatMap(({ actual }) => calls[Number(actual)]?.key ?? []);
}

function textsOf(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (isJsonObject(value)) return Object.values(value).flatMap(textsOf);
  return value !== undefined && isJsonList(value) ? value.flatMap((one) => textsOf(one)) : [];
}

/** The name of a call: shows the same call everywhere on the page. */
export function CallButton({
  callKey,
  children,
}: {
  readonly callKey: string | undefined;
  readonly children: ComponentChildren;
}) {
  if (callKey === undefined) return <>{children}</>;
  return (
    <button
      type="button"
      class="bare call-link"
      title="Show this call everywhere"
      onClick={({ currentTarget }) => showCall(callKey, currentTarget)}
    >
      {children}
    </button>
  );
}

/** Marks a call everywhere, and goes to it in the conversation; from there to the timeline or the assertion. */
function showCall(key: string, from: Element): void {
  for (const old of document.querySelectorAll('.is-linked')) old.classList.remove('is-linked');
  const all = [...document.querySelectorAll<HTMLElement>(`[data-call="${key}"]`)];
  for (const one of all) one.classList.add('is-linked');
  const isHere = (one: Element): boolean => one.contains(from);
  const said = all.find((one) => one.classList.contains('entry'));
  const target = said === undefined || isHere(said) ? all.find((one) => !isHere(one)) : said;
  if (target === undefined) return;
  for (let inside = target.parentElement; inside !== null; inside = inside.parentElement)
    if (inside instanceof HTMLDetailsElement) inside.open = true;
  target.scrollIntoView({ block: 'center' });
  target.querySelector<HTMLElement>('.call-link')?.focus({ preventScroll: true });
}
