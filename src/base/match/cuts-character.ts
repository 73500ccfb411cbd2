/** Whether a position in a text is inside a character: between the two surrogates of a pair. */
export function cutsCharacter(text: string, at: number): boolean {
  return isHighSurrogate(text.charCodeAt(at - 1)) && isLowSurrogate(text.charCodeAt(at));
}

function isHighSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xd800;
}

function isLowSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xdc00;
}
