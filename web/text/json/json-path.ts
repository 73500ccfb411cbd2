/** `offers[3].price`; keys that are not words stand in quotes: `headers["content-type"]`. */
export function joinPath(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  if (!/^[\p{L}\p{N}_$-]+$/u.test(key) || /^\d+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}
