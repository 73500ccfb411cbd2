/** JSON in which integers beyond 2^53 become bigints, so that the page shows none rounded. */
export function parseExactJson(text: string): unknown {
  return LONG_NUMBER.test(text) ? JSON.parse(text, keepExact) : JSON.parse(text);
}

/** Not the digits after a point: most fractions have as many, and reading each value again takes three times as long. */
const LONG_NUMBER = /(?<![.\d])\d{16,}(?![.\deE])/;
const INTEGER = /^-?\d+$/;

/** For `JSON.parse`. Browsers without the third argument round, as they always did. */
export function keepExact(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  return context?.source !== undefined && INTEGER.test(context.source) ? BigInt(context.source) : value;
}
