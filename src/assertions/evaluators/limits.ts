import type { Reply } from '../../model/reply.ts';
import type { Reader } from '../../schema/reader.ts';
import { duration } from '../../schema/duration.ts';
import { refine } from '../../schema/refine.ts';
import type { Schema } from '../../schema/schema.ts';
import { number, subject } from '../../schema/values.ts';

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

/** Figures that are only a lower bound can break a limit, and cannot show that it was kept. */
export function isUndecided(
  measured: MeasuredLimit,
  { usage_complete, evidence }: Pick<Reply, 'usage_complete' | 'evidence'>,
): boolean {
  const isReportedCost = COSTS.has(measured.name) && evidence?.cost_usd === 'reported';
  return usage_complete === false && !isReportedCost && isKept(measured);
}

const COSTS: ReadonlySet<string> = new Set(['budget', 'max_cost_usd']);

/** Why `names` cannot be decided. */
export function incompleteUsage(names: readonly string[]): string {
  const list = names.map((name) => `\`${name}\``).join(', ');
  return `a model call did not tell how many tokens it used, so ${list} cannot be decided\nlet streamed calls ask for their usage (OpenAI: \`stream_options: { include_usage: true }\`)`;
}

export function isKept({ limit: most, measured }: MeasuredLimit): boolean {
  return measured !== undefined && measured <= most;
}

/** `max_input: 12, at most 10`. */
export function describeLimit({ name, limit: most, measured }: MeasuredLimit): string {
  return `${name}: ${measured ?? 'not reported'}, at most ${most}`;
}
