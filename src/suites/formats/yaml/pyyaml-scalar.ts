import { CHOMPING_MODE, getScalarValue, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';

/**
 * The text that PyYAML reads from a scalar where it differs from YAML 1.2: U+0085, U+2028 and U+2029 end lines, and
 * a block at the end of a file without a last line break gets none. Undefined where both agree.
 */
export function readPyYamlScalar(text: string, event: ScalarEvent): string | undefined {
  if (event.valueStart === -1) return undefined;
  const source = text.slice(event.valueStart, event.valueEnd);
  const isBlock = isBlockScalar(event);
  const endsWithFile =
    isBlock && event.valueEnd === text.length && source !== '' && !ANY_BREAK_AT_END.test(source);
  if (!endsWithFile && !SPECIAL_BREAK.test(source)) return undefined;
  // U+0085 is a line feed to PyYAML; the other two stay in the text.
  const lines = source.replaceAll(LINE_FEEDS, '\n');
  const read = isBlock ? readBlock(lines, event) : readFlow(lines, event);
  return read === getScalarValue(text, event) ? undefined : read;
}

export function isBlockScalar({ style }: ScalarEvent): boolean {
  return style === SCALAR_STYLE.LITERAL_BLOCK || style === SCALAR_STYLE.FOLDED_BLOCK;
}

export const SPECIAL_BREAK = /[\u0085\u2028\u2029]/;
const LINE_FEEDS = /\r\n|[\r\u0085]/g;
const ANY_BREAK_AT_END = /[\n\r\u0085\u2028\u2029]$/;

const FOLDS = /[ \t]+(?:[\n\u2028\u2029][ \t\n\u2028\u2029]*)?|[\n\u2028\u2029][ \t\n\u2028\u2029]*/g;
/** In double quotes an escape may be a space, or a line break. */
const FOLDS_AND_ESCAPES = new RegExp(
  String.raw`\\[\n\u2028\u2029][ \t\n\u2028\u2029]*|\\[^]|${FOLDS.source}`,
  'g',
);

function readFlow(source: string, event: ScalarEvent): string {
  if (event.style === SCALAR_STYLE.DOUBLE_QUOTED) {
    const folded = source.replaceAll(FOLDS_AND_ESCAPES, (run) =>
      foldEscaped(run).replaceAll('\n', String.raw`\n`),
    );
    return getScalarValue(folded, { ...event, valueStart: 0, valueEnd: folded.length, fast: false });
  }
  const folded = source.replaceAll(FOLDS, fold);
  return event.style === SCALAR_STYLE.SINGLE_QUOTED ? folded.replaceAll("''", "'") : folded;
}

/** After a backslash, the first line break does not count. */
function foldEscaped(run: string): string {
  if (!run.startsWith('\\')) return fold(run);
  return /^\\[\n\u2028\u2029]/.test(run) ? breaksOf(run.slice(2)) : run;
}

/** A single line feed becomes a space, the first of several nothing. The other breaks are kept. */
function fold(run: string): string {
  const breaks = breaksOf(run);
  if (breaks === '') return run;
  if (!breaks.startsWith('\n')) return breaks;
  return breaks.length === 1 ? ' ' : breaks.slice(1);
}

function breaksOf(run: string): string {
  return run.replaceAll(/[ \t]/g, '');
}

function readBlock(source: string, { style, indent, chomping }: ScalarEvent): string {
  const isFolded = style === SCALAR_STYLE.FOLDED_BLOCK;
  let text = '';
  let lastBreak = '';
  let emptyLines = '';
  let wasTextLine = false;
  for (const [, line = '', lineBreak = ''] of source.matchAll(/([^\n\u2028\u2029]*)([\n\u2028\u2029]|$)/g)) {
    const content = indent < 0 ? line.trimStart() : line.slice(indent);
    if (content === '') {
      emptyLines += lineBreak;
      continue;
    }
    const isTextLine = !/^[ \t]/.test(content);
    const isFoldedHere = isFolded && lastBreak === '\n' && wasTextLine && isTextLine;
    if (!isFoldedHere) text += lastBreak;
    else if (emptyLines === '') text += ' ';
    text += emptyLines + content;
    lastBreak = lineBreak;
    emptyLines = '';
    wasTextLine = isTextLine;
  }
  if (chomping !== CHOMPING_MODE.STRIP) text += lastBreak;
  return chomping === CHOMPING_MODE.KEEP ? text + emptyLines : text;
}
