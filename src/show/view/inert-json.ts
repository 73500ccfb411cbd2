/** JSON that cannot close its HTML element or open another one; it parses to the same value. */
export function inertJson(json: string): string {
  return json.replaceAll(/[<\u2028\u2029]/g, (character) => ESCAPED[character]!);
}

const ESCAPED: Readonly<Record<string, string>> = {
  '<': String.raw`\u003c`,
  '\u2028': String.raw`\u2028`,
  '\u2029': String.raw`\u2029`,
};
