import { isJsonObject, type Json } from '../../base/model/json.ts';

/** Whether a JSON Schema accepts every value, as far as that is certain. */
export function acceptsEverything(schema: Json): boolean {
  if (schema === true) return true;
  if (!isJsonObject(schema)) return false;
  return Object.entries(schema).every(([keyword, value]) => isIdle(keyword, value));
}

/** Keywords that describe and do not constrain. Formats are not checked. */
const NOTES = new Set([
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'definitions',
  '$anchor',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'format',
]);

const TYPES = ['object', 'array', 'string', 'number', 'boolean', 'null'];

function isIdle(keyword: string, value: Json): boolean {
  if (NOTES.has(keyword)) return true;
  switch (keyword) {
    case 'type':
      return Array.isArray(value) && TYPES.every((type) => value.includes(type));
    case 'properties':
    case 'patternProperties':
      return isJsonObject(value) && Object.values(value).every(acceptsEverything);
    case 'items':
    case 'additionalProperties':
    case 'unevaluatedProperties':
    case 'propertyNames':
      return acceptsEverything(value);
    case 'required':
      return Array.isArray(value) && value.length === 0;
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return value === 0;
    case 'uniqueItems':
      return value === false;
    case 'allOf':
      return Array.isArray(value) && value.every(acceptsEverything);
    case 'anyOf':
      return Array.isArray(value) && value.some(acceptsEverything);
    case 'not':
      return value === false;
    default:
      return false;
  }
}
