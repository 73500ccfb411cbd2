import { open, type FileHandle } from 'node:fs/promises';
import { OUTPUT_LIMIT_BYTES } from './processes/limits.ts';
import { AgentError } from './contract.ts';
import { replyText } from './reply-text.ts';

/** What a command wrote to its `{OUTPUT_FILE}`, up to the size limit. */
export async function readOutputFile(path: string, printed: string): Promise<string> {
  const file = await openFile(path, printed);
  try {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of file.createReadStream({ autoClose: false })) {
      bytes += (chunk as Buffer).length;
      if (bytes > OUTPUT_LIMIT_BYTES) throw tooLong(printed);
      chunks.push(chunk as Buffer);
    }
    return replyText(Buffer.concat(chunks), 'what the command wrote to {OUTPUT_FILE}', printed);
  } finally {
    await file.close();
  }
}

async function openFile(path: string, printed: string): Promise<FileHandle> {
  try {
    return await open(path);
  } catch (cause) {
    throw new AgentError('contract', 'the command wrote nothing to {OUTPUT_FILE}', { printed, cause });
  }
}

function tooLong(printed: string): AgentError {
  const limit = `${OUTPUT_LIMIT_BYTES / 1024 / 1024} MB`;
  return new AgentError('limit', `the command wrote more than ${limit} to {OUTPUT_FILE}`, { printed });
}
