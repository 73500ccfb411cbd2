/** `<` compares UTF-16 units, which puts characters beyond U+FFFF before U+E000. */
export function byCodePoint(a: string, b: string): number {
  if (a === b) return 0;
  const most = Math.min(a.length, b.length);
  let index = 0;
  while (index < most && a.charCodeAt(index) === b.charCodeAt(index)) index++;
  if (index === most) return a.length - b.length;
  // The difference may be in the second half of a surrogate pair.
  const isInPair = index > 0 && a.codePointAt(index - 1)! > 0xffff && b.codePointAt(index - 1)! > 0xffff;
  const at = isInPair ? index - 1 : index;
  return a.codePointAt(at)! - b.codePointAt(at)!;
}
