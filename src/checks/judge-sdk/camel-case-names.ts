/**
 * Makes every key of a value readable in camelCase too, as scripts written for other tools expect. The keys
 * themselves stay as they are: the second names do not show up when an object is listed, copied or printed.
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

/** Names that start with a capital are names of tools or classes, and get no second name. */
function toCamelCase(key: string): string {
  if (/^[A-Z]/.test(key)) return key;
  return key.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}
