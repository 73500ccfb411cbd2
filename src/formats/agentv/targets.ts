import { isJsonList, isJsonObject, ownValue, type Json } from '../../model/json.ts';
import type { Reader } from '../../schema/reader.ts';
import type { Schema } from '../../schema/schema.ts';
import { subject, wrongType } from '../../schema/values.ts';

/** `targets` and `providers`: one of them is the target. Several, or one that is defined here, are not supported. */
export const targetList: Schema<string> = {
  label: 'name of a target, or a list of one',
  jsonSchema: {},
  read(value, reader) {
    const items = isJsonList(value) ? value : [value];
    if (items.length > 1) {
      reader.unsupported({
        message: `many targets are not supported: ${subject(reader)} names ${items.length}`,
        hint: 'keep one, and run the file once for each of the others with `--target`',
        onKey: true,
      });
      return undefined;
    }
    if (items.length === 0) return wrongType(value, reader, { wanted: 'the name of a target' });
    return isJsonList(value) ? readItem(items[0]!, reader) : readTarget(value, reader);
  },
};

function readItem(item: Json, reader: Reader): string | undefined {
  reader.enter(0);
  const name = readTarget(item, reader);
  reader.leave();
  return name;
}

/** A name, or an object that only has one. */
function readTarget(value: Json, reader: Reader): string | undefined {
  if (typeof value === 'string' && !value.startsWith('file://') && value.trim() !== '') return value;
  const name = isJsonObject(value) ? (ownValue(value, 'name') ?? ownValue(value, 'id')) : undefined;
  if (isJsonObject(value) && typeof name === 'string' && Object.keys(value).length === 1) return name;
  if (isJsonObject(value) || (typeof value === 'string' && value.trim() !== '')) {
    reader.unsupported({
      message: 'a target that is defined in the suite is not supported',
      hint: 'define it in targets.yaml or assay.config.yaml, and give its name here',
    });
    return undefined;
  }
  return wrongType(value, reader, { wanted: 'the name of a target' });
}
