import { isJsonList, isJsonObject, type Json } from '../../../base/model/json.ts';
import type { PathSegment } from '../../../base/model/place.ts';
import type { Reader } from '../../../base/schema/reader.ts';

/** The last line on which something in a value starts. The value is at the reader, or below it at `path`. */
export function lastLine(value: Json | undefined, reader: Reader, path: readonly PathSegment[] = []): number {
  let last = reader.place(...path).line;
  if (isJsonList(value))
    for (const [index, item] of value.entries())
      last = Math.max(last, lastLine(item, reader, [...path, index]));
  else if (isJsonObject(value))
    for (const key of Object.keys(value)) last = Math.max(last, lastLine(value[key], reader, [...path, key]));
  return last;
}
