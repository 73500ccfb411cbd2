/** The complete lines of a response, in pieces as they arrive. */
export async function readLines(
  body: ReadableStream<Uint8Array>,
  onLines: (lines: readonly string[]) => void,
): Promise<void> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) onLines(lines);
  }
  if (rest !== '') onLines([rest]);
}
