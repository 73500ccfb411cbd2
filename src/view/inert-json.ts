/** JSON that cannot end the element it stands in, nor begin another one; the same value to whoever parses it. */
export function inertJson(json: string): string {
  return json.replaceAll(/[<\u2028\u2029]/g, (character) => ESCAPED[character]!);
}

const ESCAPED: Readonly<Record<string, string>> = {
  '<': String.raw`\u003c`,
  '\u2028': String.raw`\u2028`,
  '\u2029': String.raw`\u2029`,
};
