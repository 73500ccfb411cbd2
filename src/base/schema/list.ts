import type { Schema } from './schema.ts';
import { subject, wrongType } from './values.ts';

interface ListOptions {
  readonly label?: string;
  readonly nonEmpty?: boolean;
  /** The finding code for a list that must not be empty. */
  readonly emptyCode?: string;
}

const LIST_HINT = 'a list is written [a, b], or with "- " before each item';

/** A list. All items are read, so that every wrong one is reported. */
export function list<T>(
  item: Schema<T>,
  { label = `list of ${item.label}`, nonEmpty = false, emptyCode = 'empty' }: ListOptions = {},
): Schema<readonly T[]> {
  return {
    label,
    get jsonSchema() {
      return { type: 'array', items: item.jsonSchema, ...(nonEmpty ? { minItems: 1 } : {}) };
    },
    read(value, reader) {
      if (!Array.isArray(value)) return wrongType(value, reader, { wanted: 'a list', hint: LIST_HINT });
      if (nonEmpty && value.length === 0) {
        reader.error({ code: emptyCode, message: `${subject(reader)} must not be an empty list` });
        return undefined;
      }
      const items: T[] = [];
      for (let index = 0; index < value.length; index++) {
        reader.enter(index);
        const read = item.read(value[index], reader);
        reader.leave();
        if (read !== undefined) items.push(read);
      }
      return items;
    },
  };
}

/** A list; a single string stands for a list of one. */
export function listOrOne<T>(item: Schema<T>): Schema<readonly (T | string)[]> {
  const many = list<T | string>(item);
  return {
    label: many.label,
    get jsonSchema() {
      return { anyOf: [many.jsonSchema, item.jsonSchema] };
    },
    read(value, reader) {
      if (typeof value !== 'string') return many.read(value, reader);
      reader.warning({
        code: 'single_value',
        message: `${subject(reader)} must be a list; the single string is read as a list of one`,
        hint: `write [${JSON.stringify(value)}]`,
      });
      return [value];
    },
  };
}
