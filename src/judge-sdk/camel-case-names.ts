/**
 * Lets every key of a value be read in camelCase too, as scripts written for other tools do. The keys themselves stay as
 * they are: the second names are hidden from whoever lists, copies or prints an object.
 */
export function addCamelCaseNames<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const [key, member] of Object.entries(value)) {
    addCamelCaseNames(member);
    const name = toCamelCase(key);
    if (name !== key && !Object.hasOwn(value, name))
      Object.defineProperty(value, name, { value: member, configurable: true });
  }
  return value;
}

/** Names that start with a capital are names of tools or classes, and have no second one. */
function toCamelCase(key: string): string {
  if (/^[A-Z]/.test(key)) return key;
  return key.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}
