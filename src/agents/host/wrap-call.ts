const { apply, construct } = Reflect;
let isQuiet = false;

type Owner = Record<string, unknown>;

/** Tells `before` of each call of a function, except of those that it makes itself. */
export function wrap(holder: object, name: string, before: (args: readonly unknown[]) => unknown): void {
  const owner = holder as Owner;
  const original = owner[name];
  if (typeof original !== 'function') return;
  const observed = (args: readonly unknown[]): void => {
    if (isQuiet) return;
    try {
      quietly(() => before(args));
    } catch {
      // What is wrong with the arguments, the function itself says.
    }
  };
  owner[name] = new Proxy(original, {
    apply(target, self, args) {
      observed(args);
      return apply(target as () => unknown, self, args);
    },
    construct(target, args, newTarget) {
      observed(args);
      return construct(target as () => unknown, args, newTarget as () => unknown) as object;
    },
  });
}

/** What it calls is not noted. */
export function quietly(act: () => void): void {
  isQuiet = true;
  try {
    act();
  } finally {
    isQuiet = false;
  }
}

export function optionOf(options: unknown, name: string): unknown {
  return typeof options === 'object' && options !== null ? (options as Owner)[name] : undefined;
}
