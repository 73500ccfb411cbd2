import { setOwn, type Json } from '../base/model/json.ts';
import { DEPTH_LIMIT } from '../base/model/parse-json.ts';
import { OUTPUT_LIMIT_BYTES } from './processes/limits.ts';
import { AgentError } from './contract.ts';

/**
 * A copy of what a framework returned, as far as it is data: functions, and what JSON has no form for, are left out, and so
 * is an object inside of itself. The properties that its class computes are read where frameworks keep their results.
 */
export function copyResult(value: unknown): Json | undefined {
  return new ResultCopier().copy(value, 0);
}

/** What results of frameworks compute when it is asked for. Other properties of a class may do work, or throw. */
const COMPUTED = [
  'text',
  'output',
  'steps',
  'totalUsage',
  'usage',
  'toolCalls',
  'toolResults',
  'response',
  'responseMessages',
  'finishReason',
  'finalOutput',
  'newItems',
  'interruptions',
  'history',
  'rawResponses',
  'messages',
  'content',
];

/** About what one takes. */
const CONTAINER_BYTES = 8;

class ResultCopier {
  private readonly inside = new Set<object>();
  private size = 0;

  copy(value: unknown, depth: number): Json | undefined {
    switch (typeof value) {
      case 'string':
        this.count(value.length);
        return value;
      case 'boolean':
        return value;
      case 'number':
        return Number.isFinite(value) ? value : null;
      case 'bigint':
        return Number(value);
      case 'object':
        return value === null ? null : this.copyObject(value, depth);
      default:
        return undefined;
    }
  }

  private copyObject(object: object, depth: number): Json | undefined {
    this.count(CONTAINER_BYTES);
    if (depth >= DEPTH_LIMIT || this.inside.has(object)) return undefined;
    this.inside.add(object);
    try {
      if (Array.isArray(object)) return object.map((item: unknown) => this.copy(item, depth + 1) ?? null);
      const { toJSON } = object as { readonly toJSON?: unknown };
      if (typeof toJSON === 'function' && !(object instanceof Uint8Array))
        return this.copy(toJSON.call(object), depth + 1);
      if (object instanceof Map) return this.copyMembers(Object.fromEntries(object) as object, depth);
      if (object instanceof Set) return this.copy([...object], depth + 1);
      if (object instanceof Error) return { name: object.name, message: object.message };
      return ArrayBuffer.isView(object) || isPromise(object) ? undefined : this.copyMembers(object, depth);
    } finally {
      this.inside.delete(object);
    }
  }

  private copyMembers(object: object, depth: number): Json {
    const members: Record<string, Json> = {};
    const prototype: unknown = Object.getPrototypeOf(object);
    const isInstance = prototype !== Object.prototype && prototype !== null;
    const computed = isInstance && depth <= 1 ? COMPUTED.filter((key) => key in object) : [];
    for (const key of new Set([...Object.keys(object), ...computed])) {
      const value = this.copy(valueOf(object, key), depth + 1);
      if (value !== undefined) setOwn(members, key, value);
    }
    return members;
  }

  private count(size: number): void {
    this.size += size;
    if (this.size > OUTPUT_LIMIT_BYTES)
      throw new AgentError(
        'limit',
        `the agent returned more than ${OUTPUT_LIMIT_BYTES / 1024 / 1024} MB in one step`,
      );
  }
}

/** A result may refuse what it does not have: an AI SDK result without structured output throws for `output`. */
function valueOf(object: object, key: string): unknown {
  try {
    return (object as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}

function isPromise(object: object): boolean {
  return typeof (object as { readonly then?: unknown }).then === 'function';
}
