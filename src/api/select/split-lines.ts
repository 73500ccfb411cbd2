/** `file.yaml:12` is the file and the line. */
export function splitLines(authored: readonly string[]): {
  paths: readonly string[];
  lines: ReadonlyMap<string, readonly number[]>;
} {
  const lines = new Map<string, number[]>();
  const paths = authored.map((path) => {
    const match = /^(.+\.(?:ya?ml|json|jsonl)):(\d+)$/is.exec(path);
    if (match === null) return path;
    const file = match[1]!.replace(/^\.\//, '');
    lines.set(file, [...(lines.get(file) ?? []), Number(match[2])]);
    return file;
  });
  return { paths, lines };
}
