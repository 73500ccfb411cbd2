/** A subject as code points, in a buffer that the next subject takes over. */
export interface SubjectText {
  codePoints: Int32Array;
  length: number;
  /** Offsets in the string and in code points are the same. */
  hasOnlyBmp: boolean;
}

/** After the last character, so that tests for a character need no check for the end. */
const END_OF_TEXT = -1;

/** Decodes into `text`, which is reused so that a search of a short subject allocates nothing. */
export function decodeSubject(subject: string, text: SubjectText): void {
  if (text.codePoints.length <= subject.length) {
    text.codePoints = new Int32Array(Math.max(subject.length + 1, text.codePoints.length * 2));
  }
  const { codePoints } = text;
  let length = 0;
  for (let index = 0; index < subject.length; index += 1) {
    const unit = subject.charCodeAt(index);
    if ((unit & 0xfc00) === 0xd800) {
      const codePoint = subject.codePointAt(index)!;
      if (codePoint > 0xffff) index += 1;
      codePoints[length] = codePoint;
    } else codePoints[length] = unit;
    length += 1;
  }
  codePoints[length] = END_OF_TEXT;
  text.length = length;
  text.hasOnlyBmp = length === subject.length;
}
