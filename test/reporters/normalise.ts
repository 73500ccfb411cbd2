import { gunzipSync } from 'node:zlib';

/** What differs from run to run: ids of runs and their numbers, what they were merged from, times. What the page packs is unpacked first. */
export function normalise(text: string): string {
  return text
    .replaceAll(
      /(<script type="application\/gzip"[^>]*>)([^<]*)/g,
      (_, tag: string, packed: string) => `${tag}${gunzipSync(Buffer.from(packed, 'base64')).toString()}`,
    )
    .replaceAll(/"sequence":\d+/g, '"sequence":<n>')
    .replaceAll(/,"merged":\["[^"]*"\]/g, '')
    .replaceAll(/\d{8}T\d{6}-\d{3}-[0-9a-f]{8}/g, '<run>')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+Z)?/g, '<date>')
    .replaceAll(/("?duration_ms"?: ?)[\d.e-]+/g, '$1<ms>')
    .replaceAll(/\btime="[\d.]+"/g, 'time="<s>"')
    .replaceAll(/\b\d+(?:\.\d+)? (?:ms|s|min)\b/g, '<time>');
}
