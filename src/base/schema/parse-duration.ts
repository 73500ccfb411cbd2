export const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
export const DURATION = /^(\d+(?:\.\d+)?) ?(ms|s|m|h)?$/;

/** Milliseconds of `500ms`, `90s`, `2m`, `1h`; a bare number is seconds. Undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const match = DURATION.exec(text.trim());
  if (match === null) return undefined;
  const milliseconds = Number(match[1]) * UNITS[match[2] ?? 's']!;
  return milliseconds > 0 ? milliseconds : undefined;
}
