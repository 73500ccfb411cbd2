import { setOwn, type Json } from '../base/model/json.ts';
import { OUTPUT_LIMIT_BYTES } from './processes/limits.ts';
import { AgentError } from './contract.ts';
import { DEPTH_LIMIT, MAX_DIGITS } from '../base/model/parse-json.ts';

/**
 * A copy of a function's return value as plain JSON: later changes to the objects do not affect the record.
 * Undefined members are left out, Dates and similar values become what their toJSON returns; a value that JSON
 * cannot represent is a contract error that names its path.
 */
export function plainJson(value: unknown): Json | undefined {
  return value === undefined ? undefined : new Copier().copy(value, 0);
}

/** Roughly the size of one. An object that occurs twice at every level would be copied forever. */
const CONTAINER_BYTES = 8;

const LARGEST = 10n ** BigInt(MAX_DIGITS);

type Key = string | number;

class Copier {
  /** The current path: a key and a container per level. Overwritten, never shortened. */
  private readonly keys: Key[] = [];
  private readonly containers: unknown[] = [];
  private size = 0;

  copy(value: unknown, depth: number): Json {
    switch (typeof value) {
      case 'string':
        this.count(value.length);
        return value;
      case 'boolean':
        return value;
      case 'number':
        return Number.isFinite(value) ? value : this.refuse(`is ${value}`, depth);
      case 'bigint':
        return this.copyInteger(value, depth);
      case 'object':
        return value === null ? null : this.copyObject(value, depth);
      case 'undefined':
        return this.refuse('is undefined', depth);
      default:
        return this.refuse(`is a ${typeof value}`, depth);
    }
  }

  private copyInteger(value: bigint, depth: number): Json {
    if (value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER) return Number(value);
    return -LARGEST < value && value < LARGEST
      ? value
      : this.refuse(`has more than ${MAX_DIGITS} digits`, depth);
  }

  private copyObject(object: object, depth: number): Json {
    this.count(CONTAINER_BYTES);
    if (depth >= DEPTH_LIMIT) this.refuseDepth();
    this.containers[depth] = object;
    if (Array.isArray(object)) return this.copyList(object, depth);
    const prototype: unknown = Object.getPrototypeOf(object);
    if (prototype !== Object.prototype && prototype !== null) return this.copyInstance(object, depth);
    return this.copyMembers(object, depth);
  }

  private copyList(list: readonly unknown[], depth: number): Json {
    const items: Json[] = [];
    for (let index = 0; index < list.length; index++) {
      this.keys[depth] = index;
      items.push(this.copy(list[index], depth + 1));
    }
    return items;
  }

  private copyMembers(object: object, depth: number): Json {
    const members: Record<string, Json> = {};
    for (const key of Object.keys(object)) {
      this.keys[depth] = key;
      const value = (object as Record<string, unknown>)[key];
      if (value !== undefined) setOwn(members, key, this.copy(value, depth + 1));
    }
    return members;
  }

  /** Objects with their own class are read as JSON.stringify does, but not those whose content it would lose. */
  private copyInstance(object: object, depth: number): Json {
    const { toJSON } = object as { readonly toJSON?: unknown };
    if (typeof toJSON === 'function' && !(object instanceof Uint8Array)) {
      this.keys[depth] = 'toJSON()';
      return this.copy(toJSON.call(object), depth + 1);
    }
    const tag = Object.prototype.toString.call(object).slice(8, -1);
    return tag === 'Object'
      ? this.copyMembers(object, depth)
      : this.refuse(`is ${/^[AEIO]/.test(tag) ? 'an' : 'a'} ${tag}`, depth);
  }

  private count(size: number): void {
    this.size += size;
    if (this.size > OUTPUT_LIMIT_BYTES) {
      throw new AgentError(
        'limit',
        `the agent returned more than ${OUTPUT_LIMIT_BYTES / 1024 / 1024} MB in one step`,
      );
    }
  }

  private refuseDepth(): never {
    const again = this.containers.findIndex((container, index) => this.containers.indexOf(container) < index);
    if (again !== -1) this.refuse('contains itself', again);
    throw new AgentError('limit', `the agent's reply is nested more than ${DEPTH_LIMIT} levels deep`);
  }

  private refuse(what: string, depth: number): never {
    const path = this.keys.slice(0, depth).map(printKey).join('').replace(/^\./, '');
    const subject = path === '' ? 'what the agent returned' : `\`${path}\` of the agent's reply`;
    throw new AgentError('contract', `${subject} ${what}, which JSON cannot represent: return plain data`);
  }
}

function printKey(key: Key): string {
  if (typeof key === 'number') return `[${key}]`;
  return /^[\w$()]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
