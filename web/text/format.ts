import { formatDollars } from '../../src/model/dollars.ts';
import { formatScore as scoreText } from '../../src/model/score-text.ts';

/** Numbers and times as the page shows them. Unknown values are a dash, never a zero. */
export const UNKNOWN = '–';

export function formatDuration(durationMs: number | undefined): string {
  if (durationMs === undefined) return UNKNOWN;
  if (durationMs === 0) return '0 ms';
  if (durationMs < 1) return '<1 ms';
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`;
  if (durationMs < 60_000) return `${(durationMs / 1000).toFixed(durationMs < 10_000 ? 2 : 1)} s`;
  const minutes = Math.floor(durationMs / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.round((durationMs % 60_000) / 1000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function formatCost(usd: number | undefined): string {
  return usd === undefined ? UNKNOWN : formatDollars(usd);
}

export function formatPercent(share: number | undefined): string {
  if (share === undefined) return UNKNOWN;
  const percent = share * 100;
  // 99.96% is not all of them.
  if (percent > 99 && percent < 100) return `${(Math.floor(percent * 10) / 10).toFixed(1)}%`;
  if (percent > 0 && percent < 0.1) return '<0.1%';
  if (percent > 0 && percent < 1) return `${percent.toFixed(1)}%`;
  return `${Math.round(percent)}%`;
}

export function formatScore(score: number | undefined, threshold?: number): string {
  return score === undefined ? UNKNOWN : scoreText(score, { threshold });
}

export function formatCount(count: number): string {
  return count.toLocaleString('en');
}

/** For narrow places: `99.8k`. */
export function formatCompact(count: number): string {
  if (count < 10_000) return formatCount(count);
  const [size, unit] = count < 1_000_000 ? [1000, 'k'] : [1_000_000, 'M'];
  return `${Math.floor((count / size) * 10) / 10}${unit}`;
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
