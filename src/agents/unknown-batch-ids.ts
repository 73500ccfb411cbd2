import { readFile } from 'node:fs/promises';

/**
 * The ids of a batch that are not written in the suite file. A suite may take its tests, and so their ids, from elsewhere:
 * then the id that is asked for is not in it either, and nothing is known.
 */
export async function findUnknownIds(
  file: string,
  { asked, ids }: { readonly asked: string; readonly ids: readonly string[] },
): Promise<readonly string[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    return [];
  }
  const isWritten = (id: string): boolean =>
    text.includes(id) ||
    text.includes(JSON.stringify(id).slice(1, -1)) ||
    text.includes(id.replaceAll("'", "''"));
  return isWritten(asked) ? ids.filter((id) => !isWritten(id)) : [];
}
