/** What the docs show of a command's output, without times and ids, which differ each time. */
export function withoutNoise(text: string): string {
  return (
    text
      .replaceAll(/\d+(?:\.\d+)? m?s\b/g, '<time>')
      .replaceAll(/<time> \([+-]\d+%\)/g, '<time>')
      .replaceAll(/\d{8}T\d{6}-\d{3}-[\da-f]{8}/g, '<run>')
      // The slowest attempts, if the machine is busy.
      .replaceAll(/^Slow .*<time>.*\n?/gm, '')
      .replaceAll(/ +$/gm, '')
      .trim()
  );
}
