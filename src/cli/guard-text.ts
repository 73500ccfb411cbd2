/**
 * The last guard before a terminal: of all control characters, only line feeds, tabs and Assay's own get through.
 * Texts are escaped where they are built; this catches places that forgot. It uses JSON escapes, so a JSON report
 * stays valid, with the same texts.
 */
export function guardText(text: string): string {
  return text.replaceAll(OWN_OR_UNSAFE, (found) =>
    found.length > 1 ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * The colours of `colors.ts` and the cursor movement of the live region; or C0, DEL, C1, line separators and bidi
 * controls.
 */
const OWN_OR_UNSAFE =
  // oxlint-disable-next-line no-control-regex
  /\u001b\[(?:\d{1,2}m|\d{1,3}F|0J)|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
