import type { Json } from '../../../base/model/json.ts';
import { MAX_DIGITS } from '../../../base/model/parse-json.ts';

/** `core`: YAML 1.2's core schema. `pyyaml`: what PyYAML's `safe_load` reads from a scalar (YAML 1.1). */
export type Dialect = 'core' | 'pyyaml';

/** The meaning of a scalar without quotes. `date` stays text; `merge` is the key `<<`. */
export interface ScalarReading {
  readonly as: 'text' | 'null' | 'boolean' | 'number' | 'date' | 'merge';
  readonly value: Json;
}

export class ScalarError extends Error {}

export function readPlainScalar(text: string, dialect: Dialect): ScalarReading {
  if (!MAY_BE_SPECIAL.test(text)) return { as: 'text', value: text };
  return dialect === 'core' ? readCore(text) : readPyYaml(text);
}

/** An explicit `!!int` and similar: the text must be one, quoted or not. */
export function readTaggedScalar(text: string, tag: string, dialect: Dialect): ScalarReading {
  switch (tag) {
    case 'str':
      return { as: 'text', value: text };
    case 'null':
      return { as: 'null', value: null };
    case 'timestamp':
      return { as: 'date', value: text };
    case 'bool':
      return expect(dialect === 'core' ? readCore(text) : readPyYaml(text), 'boolean', text);
    case 'int':
      return expect(dialect === 'core' ? readCore(text) : readInt(text), 'number', text);
    case 'float':
      return {
        as: 'number',
        value: toFloat(expect(dialect === 'core' ? readCore(text) : readFloat(text), 'number', text).value),
      };
    default:
      throw new ScalarError(`the tag !!${tag} is not supported`);
  }
}

const MAY_BE_SPECIAL = /^(?:[-+.0-9~=<]|$|[yYnNtTfFoO][a-zA-Z]{0,4}$)/;
const NULL = /^(?:~|null|Null|NULL|)$/;

function readCore(text: string): ScalarReading {
  if (NULL.test(text)) return { as: 'null', value: null };
  if (/^(?:true|True|TRUE)$/.test(text)) return { as: 'boolean', value: true };
  if (/^(?:false|False|FALSE)$/.test(text)) return { as: 'boolean', value: false };
  if (/^[-+]?[0-9]+$/.test(text)) return { as: 'number', value: toInteger(text, 10) };
  if (/^0o[0-7]+$/.test(text)) return { as: 'number', value: toInteger(text.slice(2), 8) };
  if (/^0x[0-9a-fA-F]+$/.test(text)) return { as: 'number', value: toInteger(text.slice(2), 16) };
  if (/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(text)) {
    return { as: 'number', value: Number(text) };
  }
  if (/^[-+]?\.(?:inf|Inf|INF)$/.test(text))
    return { as: 'number', value: text.startsWith('-') ? -Infinity : Infinity };
  if (/^\.(?:nan|NaN|NAN)$/.test(text)) return { as: 'number', value: Number.NaN };
  return { as: 'text', value: text };
}

const PY_TRUE = /^(?:yes|Yes|YES|true|True|TRUE|on|On|ON)$/;
const PY_FALSE = /^(?:no|No|NO|false|False|FALSE|off|Off|OFF)$/;
const PY_FLOAT = new RegExp(
  [
    String.raw`^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?`,
    String.raw`\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?`,
    String.raw`[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*`,
    String.raw`[-+]?\.(?:inf|Inf|INF)`,
    String.raw`\.(?:nan|NaN|NAN))$`,
  ].join('|'),
);
const PY_INT = /^[-+]?(?:0b[0-1_]+|0[0-7_]+|0|[1-9][0-9_]*|0x[0-9a-fA-F_]+|[1-9][0-9_]*(?::[0-5]?[0-9])+)$/;
const PY_DATE =
  /^[0-9]{4}-(?:[0-9]{2}-[0-9]{2}|[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?)$/;

/** In PyYAML's order: boolean, float, int, merge, null, timestamp. */
function readPyYaml(text: string): ScalarReading {
  if (PY_TRUE.test(text)) return { as: 'boolean', value: true };
  if (PY_FALSE.test(text)) return { as: 'boolean', value: false };
  if (PY_FLOAT.test(text)) return readFloat(text);
  if (PY_INT.test(text)) return readInt(text);
  if (text === '<<') return { as: 'merge', value: text };
  if (NULL.test(text)) return { as: 'null', value: null };
  if (PY_DATE.test(text)) return { as: 'date', value: text };
  return { as: 'text', value: text };
}

/** `010` is 8, `0x1F` is 31, `12:30` is 750, `1_000` is 1000. */
function readInt(text: string): ScalarReading {
  const [, sign, digits] = /^([-+]?)(.*)$/s.exec(text.replaceAll('_', ''))!;
  const value = unsignedInt(digits!);
  return { as: 'number', value: sign === '-' ? negated(value) : value };
}

function unsignedInt(digits: string): number | bigint {
  if (digits.startsWith('0b')) return toInteger(digits.slice(2), 2);
  if (digits.startsWith('0x')) return toInteger(digits.slice(2), 16);
  if (digits.includes(':')) return sexagesimal(digits);
  if (digits !== '0' && digits.startsWith('0')) return toInteger(digits, 8);
  return toInteger(digits, 10);
}

function readFloat(text: string): ScalarReading {
  const [, sign, digits] = /^([-+]?)(.*)$/s.exec(text.replaceAll('_', '').toLowerCase())!;
  const value = unsignedFloat(digits!);
  return { as: 'number', value: sign === '-' ? -value : value };
}

function unsignedFloat(digits: string): number {
  if (digits === '.inf') return Infinity;
  if (digits === '.nan') return Number.NaN;
  if (digits.includes(':')) {
    return digits.split(':').reduce((total, part) => total * 60 + decimal(part), 0);
  }
  return decimal(digits);
}

function decimal(digits: string): number {
  if (!/^(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?$/.test(digits))
    throw new ScalarError(`"${digits}" is not a number`);
  return Number(digits);
}

/** Each part takes longer than the previous one: without a limit, 600 kB of them take ten seconds. */
function sexagesimal(digits: string): number | bigint {
  if (digits.length > MAX_DIGITS) throw tooManyDigits();
  const parts = digits.split(':').map((part) => toInteger(part, 10));
  return compact(parts.reduce<bigint>((total, part) => total * 60n + BigInt(part), 0n));
}

const DIGITS_OF_BASE: Readonly<Record<number, RegExp>> = {
  2: /^[01]+$/,
  8: /^[0-7]+$/,
  10: /^[-+]?[0-9]+$/,
  16: /^[0-9a-fA-F]+$/,
};
const PREFIX_OF_BASE: Readonly<Record<number, string>> = { 2: '0b', 8: '0o', 10: '', 16: '0x' };

function toInteger(digits: string, base: number): number | bigint {
  if (!DIGITS_OF_BASE[base]!.test(digits)) throw new ScalarError(`"${digits}" is not an integer`);
  if (digits.length > MAX_DIGITS) throw tooManyDigits();
  const isNegative = digits.startsWith('-');
  const size = compact(BigInt(PREFIX_OF_BASE[base] + digits.replace(/^[-+]/, '')));
  return isNegative ? negated(size) : size;
}

/** 0 - x, so that `-0` is the integer 0. */
function negated(value: number | bigint): number | bigint {
  return typeof value === 'bigint' ? -value : 0 - value;
}

function compact(value: bigint): number | bigint {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

function toFloat(value: Json): number {
  return typeof value === 'bigint' ? Number(value) : (value as number);
}

function expect(reading: ScalarReading, as: ScalarReading['as'], text: string): ScalarReading {
  if (reading.as !== as) throw new ScalarError(`"${text}" is not a valid ${as}`);
  return reading;
}

function tooManyDigits(): ScalarError {
  return new ScalarError(`a number of more than ${MAX_DIGITS} digits`);
}
