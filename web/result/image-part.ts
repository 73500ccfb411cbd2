import { isJsonObject, ownValue, type JsonObject } from '../../src/base/model/json.ts';

/** The address of the picture in a part of a message, as Assay and the providers write it. */
export function imageOf(part: JsonObject): string | undefined {
  const type = ownValue(part, 'type');
  if (type !== 'image' && type !== 'image_url' && type !== 'input_image') return undefined;
  for (const key of ['value', 'image_url', 'image', 'url', 'data']) {
    const value = ownValue(part, key);
    if (typeof value === 'string') return withType(value, part);
    const inner = isJsonObject(value) ? ownValue(value, 'url') : undefined;
    if (typeof inner === 'string') return inner;
  }
  const source = ownValue(part, 'source');
  return isJsonObject(source) ? fromSource(source) : undefined;
}

function fromSource(source: JsonObject): string | undefined {
  const data = ownValue(source, 'data') ?? ownValue(source, 'url');
  return typeof data === 'string' ? withType(data, source) : undefined;
}

/** Some providers give the bytes and their type apart. */
function withType(value: string, holder: JsonObject): string {
  const type =
    ownValue(holder, 'media_type') ?? ownValue(holder, 'mediaType') ?? ownValue(holder, 'mimeType');
  const isBare = typeof type === 'string' && /^[A-Za-z0-9+/]+=*$/.test(value);
  return isBare ? `data:${type};base64,${value}` : value;
}
