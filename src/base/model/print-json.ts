/**
 * JSON text of a value that may contain bigints, which JSON.stringify refuses. Like JSON.stringify it leaves out
 * undefined and escapes lone surrogates; unlike it, integers of any size are printed exactly.
 */
export function printJson(value: unknown, indent = ''): string {
  try {
    // Many times faster, and right whenever there is no bigint.
    return JSON.stringify(value, undefined, indent) ?? 'null';
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return print(value, indent, '') ?? 'null';
  }
}

function print(value: unknown, indent: string, margin: string): string | undefined {
  if (typeof value === 'bigint') return value.toString();
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if ('toJSON' in value && typeof value.toJSON === 'function') return print(value.toJSON(), indent, margin);
  const inner = margin + indent;
  if (Array.isArray(value)) {
    return enclose(
      value.map((item) => print(item, indent, inner) ?? 'null'),
      '[]',
      { indent, inner, margin },
    );
  }
  const members: string[] = [];
  for (const key of Object.keys(value)) {
    const text = print((value as Record<string, unknown>)[key], indent, inner);
    if (text !== undefined) members.push(`${JSON.stringify(key)}:${indent === '' ? '' : ' '}${text}`);
  }
  return enclose(members, '{}', { indent, inner, margin });
}

interface Layout {
  readonly indent: string;
  readonly inner: string;
  readonly margin: string;
}

function enclose(parts: readonly string[], brackets: '[]' | '{}', { indent, inner, margin }: Layout): string {
  if (parts.length === 0) return brackets;
  const [open, close] = [brackets.charAt(0), brackets.charAt(1)];
  if (indent === '') return open + parts.join(',') + close;
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${margin}${close}`;
}
