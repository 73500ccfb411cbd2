import { epochMs } from '../system-time.ts';
/** How long a server wants us to wait: `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function readRetryAfter(header: (name: string) => string | null | undefined): number | undefined {
  const milliseconds = header('retry-after-ms');
  const value = milliseconds ?? header('retry-after');
  if (value === null || value === undefined) return undefined;
  const unitMs = milliseconds === value ? 1 : 1000;
  const ms = /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) * unitMs : Date.parse(value) - epochMs();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
