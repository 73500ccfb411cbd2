import timers from 'node:timers';
import timerPromises from 'node:timers/promises';

/*
 * Agents, configs and reporters run in this process. If they replace a builtin, Assay's own code may use the
 * replacement, and a verdict may be wrong. We cannot prevent that, but we can detect it: these are the builtins
 * from before any of that code was loaded.
 */

/** Builtins that measure or use time. Assay keeps its own references: see system-time.ts. */
const CLOCK: readonly (readonly [string, () => unknown])[] = [
  ...['Date', 'setTimeout', 'setInterval', 'setImmediate', 'clearTimeout'].map(
    (name) => [name, () => (globalThis as Record<string, unknown>)[name]] as const,
  ),
  ['performance', () => performance],
  ['performance.now', () => performance.now],
  ['process.hrtime', () => process.hrtime],
  ['process.hrtime.bigint', () => process.hrtime.bigint],
  ['timers.setTimeout', () => timers.setTimeout],
  ['timers/promises.setTimeout', () => timerPromises.setTimeout],
];

const OBJECTS: Readonly<Record<string, object>> = {
  Object,
  'Object.prototype': Object.prototype,
  'Function.prototype': Function.prototype,
  Array,
  'Array.prototype': Array.prototype,
  'Array iterator': Object.getPrototypeOf([][Symbol.iterator]()) as object,
  'String.prototype': String.prototype,
  'String iterator': Object.getPrototypeOf(''[Symbol.iterator]()) as object,
  Number,
  'Number.prototype': Number.prototype,
  Math,
  JSON,
  Reflect,
  'RegExp.prototype': RegExp.prototype,
  'Map.prototype': Map.prototype,
  'Set.prototype': Set.prototype,
};
const GLOBALS = [
  'Object',
  'Array',
  'String',
  'Number',
  'RegExp',
  'Map',
  'Set',
  'JSON',
  'Math',
  'Reflect',
  'Symbol',
];

/** Polyfills replace the first, to look like the original; agents seed the second. No verdict depends on them. */
const HARMLESS = new Set(['Function.prototype.toString', 'Math.random']);

interface Watched {
  readonly name: string;
  readonly isClock: boolean;
  readonly read: () => unknown;
  readonly original: unknown;
}

const watched: readonly Watched[] = [
  ...CLOCK.map(([name, read]) => watch(name, read, { isClock: true })),
  ...methodsOf('Date', Date, { isClock: true }),
  ...methodsOf('Date.prototype', Date.prototype, { isClock: true }),
  ...GLOBALS.map((name) =>
    watch(name, () => (globalThis as Record<string, unknown>)[name], { isClock: false }),
  ),
  ...Object.entries(OBJECTS).flatMap(([name, object]) => methodsOf(name, object, { isClock: false })),
];

/** The builtins that were replaced: those about time, and all others. */
export function replacedBuiltins(): {
  readonly clock: readonly string[];
  readonly others: readonly string[];
} {
  const clock: string[] = [];
  const others: string[] = [];
  // By index and without calling any method, since methods may have been replaced.
  for (let index = 0; index < watched.length; index++) {
    const { name, isClock, read, original } = watched[index]!;
    if (read() === original) continue;
    const list = isClock ? clock : others;
    list[list.length] = name;
  }
  return { clock, others };
}

function watch(name: string, read: () => unknown, { isClock }: { readonly isClock: boolean }): Watched {
  return { name, isClock, read, original: read() };
}

/** Its own methods and accessors. */
function methodsOf(name: string, object: object, kind: { readonly isClock: boolean }): readonly Watched[] {
  const { getOwnPropertyDescriptor } = Object;
  return Reflect.ownKeys(object).flatMap((key) => {
    const read = (): unknown => {
      const descriptor = getOwnPropertyDescriptor(object, key);
      return descriptor?.get ?? (descriptor?.value as unknown);
    };
    const shown = typeof key === 'symbol' ? `${name}[${key.description ?? ''}]` : `${name}.${key}`;
    return typeof read() === 'function' && !HARMLESS.has(shown) ? [watch(shown, read, kind)] : [];
  });
}
