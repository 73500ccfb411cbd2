import type { Doubt, Reply } from '../../base/model/reply.ts';
import type { Reader } from '../../base/schema/reader.ts';
import { duration } from '../../base/schema/duration.ts';
import { refine } from '../../base/schema/refine.ts';
import type { Schema } from '../../base/schema/schema.ts';
import { number, subject } from '../../base/schema/values.ts';

/** From here on a limit says nothing: no reply gets that far. Below `least` no reply can keep it. */
interface Sense {
  readonly least?: number;
  readonly tooHigh: number;
  readonly unit: string;
}

/** What replies come to. A limit outside of it is kept by all of them, or by none. */
export const MEASURES = {
  duration: { least: 1, tooHigh: 86_400_000, unit: 'ms' },
  cost: { least: Number.MIN_VALUE, tooHigh: 1000, unit: 'US dollars' },
  tokens: { least: 1, tooHigh: 100_000_000, unit: 'tokens' },
  messages: { least: 1, tooHigh: 1000, unit: 'calls' },
  /** No call at all is a limit like any other. */
  calls: { tooHigh: 1000, unit: 'calls' },
} as const satisfies Readonly<Record<string, Sense>>;

export const milliseconds = limit(duration(), MEASURES.duration);
export const dollars = limit(number({ min: 0 }), MEASURES.cost);
export const tokens = limit(number({ min: 0, integer: true }), MEASURES.tokens);
export const modelCalls = limit(number({ min: 0, integer: true }), MEASURES.messages);
export const toolCalls = limit(number({ min: 0, integer: true }), MEASURES.calls);

function limit(schema: Schema<number>, sense: Sense): Schema<number> {
  return refine(schema, (_authored, reader, value) => warnAboutSense(value, sense, reader));
}

function warnAboutSense(value: number, { least = 0, tooHigh, unit }: Sense, reader: Reader): void {
  if (value < least)
    reader.warning({
      code: 'limit_too_low',
      message: `${subject(reader)} is ${value} ${unit}: no real reply stays within that`,
      hint: 'give the most that is acceptable',
    });
  if (value >= tooHigh)
    reader.warning({
      code: 'limit_too_high',
      message: `${subject(reader)} is ${value} ${unit}: every reply stays within that`,
      hint: 'give the most that is acceptable, or remove it',
    });
}

/** A limit and what was measured; exactly the limit is within it. Undefined: it was not reported. */
export interface MeasuredLimit {
  readonly name: string;
  readonly limit: number;
  readonly measured: number | undefined;
}

/** The limits that are set, each with what was measured. */
export function measuredLimits(
  limits: Readonly<Record<string, number | undefined>>,
  measures: Readonly<Record<string, number | undefined>>,
): readonly MeasuredLimit[] {
  return Object.entries(measures).flatMap(([name, measured]) => {
    const most = limits[name];
    return most === undefined ? [] : [{ name, limit: most, measured }];
  });
}

/** What of a reply tells whether a limit is kept. The time is measured by Assay or doubted on its own. */
const MEASURED_BY: Readonly<Record<string, Doubt['about'] | 'calls'>> = {
  budget: 'cost',
  max_cost_usd: 'cost',
  max_total: 'tokens',
  max_input: 'tokens',
  max_output: 'tokens',
  max_tokens: 'tokens',
  max_tool_calls: 'calls',
  max_llm_calls: 'calls',
  max_duration_ms: 'duration',
};

/**
 * Why limits cannot be decided. Undefined: they can. Figures that are only a lower bound can break a limit, and cannot show that it
 * was kept.
 */
export function usageProblem(limits: readonly MeasuredLimit[], reply: Reply): string | undefined {
  for (const { name } of limits) {
    const doubt = reply.doubts?.find(({ about }) => about === MEASURED_BY[name]);
    if (doubt !== undefined) return doubt.message;
  }
  const undecided = limits.filter((each) => isKept(each) && isLowerBound(each, reply));
  return undecided.length === 0 ? undefined : incompleteUsage(undecided, reply);
}

export function hasDoubt({ doubts = [] }: Reply, about: Doubt['about']): boolean {
  return doubts.some((doubt) => doubt.about === about);
}

function isLowerBound({ name }: MeasuredLimit, { usage_complete, evidence, trace_gap }: Reply): boolean {
  const by = MEASURED_BY[name];
  if (by === 'calls') return trace_gap?.kind === 'incomplete';
  if (by === 'cost' && evidence?.cost_usd === 'reported') return false;
  return by !== 'duration' && usage_complete === false;
}

function incompleteUsage(limits: readonly MeasuredLimit[], { trace_gap: gap }: Reply): string {
  const names = limits.map(({ name }) => `\`${name}\``).join(', ');
  return gap?.kind === 'incomplete'
    ? `not all of what the agent did is known, so ${names} cannot be decided: ${gap.at}: ${gap.form}`
    : `a model call did not report how many tokens it used, so ${names} cannot be decided\nlet streamed calls ask for their usage (OpenAI: \`stream_options: { include_usage: true }\`)`;
}

export function isKept({ limit: most, measured }: MeasuredLimit): boolean {
  return measured !== undefined && measured <= most;
}

/** `max_input: expected at most 10 tokens, got 12 tokens`. */
export function describeLimit({ name, limit: most, measured }: MeasuredLimit): string {
  return `${name}: ${expectedAtMost(most, measured!, UNITS[name]!)}`;
}

/** `expected at most 2000 ms, got 3120 ms`. */
export function expectedAtMost(most: number, measured: number, unit: Unit): string {
  return `expected at most ${inUnit(most, unit)}, got ${inUnit(measured, unit)}`;
}

type Unit = 'ms' | '$' | 'token' | 'call';

const UNITS: Readonly<Record<string, Unit>> = {
  max_total: 'token',
  max_input: 'token',
  max_output: 'token',
  max_tokens: 'token',
  max_tool_calls: 'call',
  max_llm_calls: 'call',
  max_cost_usd: '$',
  max_duration_ms: 'ms',
};

/** Milliseconds have more digits than anybody reads; of money each digit counts. */
function inUnit(value: number, unit: Unit): string {
  if (unit === '$') return `$${value}`;
  if (unit === 'ms') return `${Number(value.toFixed(value < 100 ? 2 : 0))} ms`;
  return `${value} ${unit}${value === 1 ? '' : 's'}`;
}
