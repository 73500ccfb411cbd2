/**
 * What is wrong with bytes that were sent to a terminal. Right is text in UTF-8, line feeds, tabs, the colours Assay
 * uses, and the one move of its live region, which begins a line; everything else came from a test or an agent.
 */
export function strangeInTerminal(bytes: Uint8Array): readonly string[] {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  const strange: string[] = [];
  for (let index = 0; index < text.length;) {
    OWN_OR_TEXT.lastIndex = index;
    const [own = ''] = OWN_OR_TEXT.exec(text) ?? [];
    if (own === '') strange.push(around(text, index));
    index += Math.max(1, own.length);
  }
  for (const { index } of text.matchAll(FORGED)) strange.push(around(text, index));
  for (const { index } of text.matchAll(COMMAND)) strange.push(`a command of CI: ${around(text, index)}`);
  return strange;
}

// oxlint-disable-next-line no-control-regex
const COLOUR = /\u001b\[(?:1|2|22|31|32|33|36|39)m/;
// oxlint-disable-next-line no-control-regex
const MOVE = /(?<=^|\n)\u001b\[[1-9]\d?F\u001b\[0J/;
/** No controls, no bidi controls, no characters that cannot be seen; a terminal's line end is CRLF. */
const TEXT =
  /\r?\n|\t|[^\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]+/u;
const OWN_OR_TEXT = new RegExp(`${COLOUR.source}|${MOVE.source}|${TEXT.source}`, 'yu');

/** The naughty strings that colour something say this right behind it. */
// oxlint-disable-next-line no-control-regex
const FORGED = /\u001b\[[\d:;]*mFORGED/g;

/** GitHub takes one at the beginning of a line, Azure and TeamCity anywhere. */
// oxlint-disable-next-line no-control-regex
const COMMAND = /^(?:\s|\u001b\[\d+m)*::|##[\w.]*\[/gm;

function around(text: string, index: number): string {
  return JSON.stringify(text.slice(Math.max(0, index - 20), index + 20));
}
