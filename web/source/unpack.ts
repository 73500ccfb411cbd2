import { SourceError } from './source-error.ts';

/** The JSON of a block of a report: compressed, and in base64. */
export async function unpack(block: Element): Promise<string> {
  if (typeof DecompressionStream === 'undefined') {
    throw new SourceError('This browser cannot unpack the report.', {
      hint: 'Open it in a browser of 2023 or later. To see the run itself, use: assay view',
    });
  }
  const stream = new Blob([fromBase64(block.textContent)]).stream();
  return new Response(stream.pipeThrough(new DecompressionStream('gzip'))).text();
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
