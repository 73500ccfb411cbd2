/** A duration for people. */
export function formatDuration(durationMs: number): string {
  if (durationMs === 0) return '0 ms';
  if (durationMs < 1) return `${durationMs.toFixed(2)} ms`;
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`;
  if (durationMs < 60_000) return `${(durationMs / 1000).toFixed(2)} s`;
  const minutes = Math.floor(durationMs / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.round((durationMs % 60_000) / 1000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
