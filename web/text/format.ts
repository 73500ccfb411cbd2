import { formatDollars } from '../../src/base/model/dollars.ts';
import { formatDuration as durationText } from '../../src/base/model/duration.ts';
import { formatPercent as percentText } from '../../src/base/model/percent.ts';
import { formatScore as scoreText } from '../../src/base/model/score-text.ts';

/** Numbers and times as the page shows them. Unknown values are a dash, never a zero. */
export const UNKNOWN = '–';

export function formatDuration(durationMs: number | undefined): string {
  return durationMs === undefined ? UNKNOWN : durationText(durationMs);
}

export function formatCost(usd: number | undefined): string {
  return usd === undefined ? UNKNOWN : formatDollars(usd);
}

export function formatPercent(share: number | undefined): string {
  return share === undefined ? UNKNOWN : percentText(share);
}

export function formatScore(score: number | undefined): string {
  return score === undefined ? UNKNOWN : scoreText(score);
}

export function formatCount(count: number): string {
  return count.toLocaleString('en');
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** `2026-11-15 12:14:05`, in the reader's time zone: with seconds, since two runs a minute are common. */
export function formatTime(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return UNKNOWN;
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

export function formatAgo(iso: string, now: number): string {
  const seconds = Math.round((now - Date.parse(iso)) / 1000);
  if (Number.isNaN(seconds)) return UNKNOWN;
  if (seconds < 60) return 'just now';
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return seconds < 30 * 86_400 ? `${Math.floor(seconds / 86_400)} d ago` : formatTime(iso).slice(0, 10);
}

export function formatTokens(usage: { readonly input: number; readonly output: number } | undefined): string {
  return usage === undefined ? UNKNOWN : `${formatCount(usage.input)} in, ${formatCount(usage.output)} out`;
}
