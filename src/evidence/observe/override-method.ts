export type AnyMethod = (...args: unknown[]) => unknown;

/** Puts a method before one of the same name. The function that is returned takes it away, unless somebody has replaced it. */
export function overrideMethod<K extends string>(
  target: Record<K, AnyMethod>,
  name: K,
  make: (original: AnyMethod) => AnyMethod,
): () => void {
  const isOwn = Object.hasOwn(target, name);
  const original = target[name];
  const replacement = make(original);
  target[name] = replacement;
  return () => {
    if (target[name] !== replacement) return;
    if (isOwn) target[name] = original;
    else delete (target as Partial<typeof target>)[name];
  };
}
