/** The words of a shell line that may name files. Also those in quotes as a whole, for names with spaces. */
export function wordsOfLine(line: string): readonly string[] {
  const quoted = [...line.matchAll(/(["'])(.+?)\1/g)].map(([, , word]) => word!);
  return [...line.trim().split(/\s+/), ...quoted];
}
