import type { AttemptRecord } from '../../base/model/record.ts';

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];

const STEPS = Buffer.from('steps');
const OUTPUT = Buffer.from('output');
/** How deep their keys are: those of the record, and those of a step in the list of its steps. */
const [IN_RECORD, IN_STEP] = [1, 3];

/** Enough for the few lines of a cell. */
const MAX_LENGTH = 180;
/** More of a text is not looked at: spaces and empty lines in it are left out. */
const MAX_BYTES = 4 * MAX_LENGTH;

/**
 * The first lines of what the agent answered last, from a journal line. The record is not parsed: its strings are
 * skipped over, and only the beginning of one of them is read. Undefined without an answer.
 */
export function answerStart(line: Buffer): string | undefined {
  const at = lastOutput(line);
  try {
    return at === undefined ? undefined : readStart(line, at);
  } catch {
    // A journal without checksums may be damaged anywhere.
    return undefined;
  }
}

/** The same of a record that is parsed. */
export function answerOf({ steps }: Pick<AttemptRecord, 'steps'>): string | undefined {
  const output: unknown = steps.findLast((step) => 'output' in step)?.output;
  if (typeof output !== 'string') return undefined;
  return shorten(output.slice(0, MAX_BYTES), { isWhole: output.length <= MAX_BYTES });
}

/** Where the text of the last step's output begins, after its quote. */
function lastOutput(line: Buffer): number | undefined {
  let found: number | undefined;
  let isInSteps = false;
  for (let at = 0, depth = 0; at < line.length; at++) {
    const byte = line[at];
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth--;
    if (byte !== QUOTE) continue;
    const end = endOfString(line, at + 1);
    if (end === -1) return undefined;
    if (line[end + 1] === COLON) {
      if (depth === IN_RECORD) {
        if (isInSteps) return found;
        isInSteps = isText(line, STEPS, { start: at + 1, end });
      } else if (isInSteps && depth === IN_STEP && isText(line, OUTPUT, { start: at + 1, end }))
        found = line[end + 2] === QUOTE ? end + 3 : undefined;
    }
    at = end;
  }
  return undefined;
}

function isText(
  line: Buffer,
  text: Buffer,
  { start, end }: { readonly start: number; readonly end: number },
): boolean {
  return end - start === text.length && line.compare(text, 0, text.length, start, end) === 0;
}

/** Most strings are short: only long ones are worth a call into the runtime. */
const SHORT = 64;

function endOfString(line: Buffer, start: number): number {
  const near = Math.min(line.length, start + SHORT);
  let at = start;
  for (; at < near; at++) {
    if (line[at] === QUOTE) return at;
    if (line[at] === BACKSLASH) at++;
  }
  for (let end = line.indexOf(QUOTE, at); end !== -1; end = line.indexOf(QUOTE, end + 1)) {
    let slashes = 0;
    while (end - 1 - slashes >= at && line[end - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}

function readStart(line: Buffer, start: number): string | undefined {
  const end = endOfString(line, start);
  const isWhole = end - start <= MAX_BYTES;
  const text = line.toString('utf8', start, isWhole ? end : start + MAX_BYTES);
  // A cut may go through a character or an escape.
  return shorten(JSON.parse(`"${isWhole ? text : text.replace(CUT, '')}"`) as string, { isWhole });
}

const CUT = /(?<=(?:^|[^\\])(?:\\\\)*)(?:\\(?:u[\da-f]{0,3})?|\uFFFD+)$/i;

/** Empty lines are left out; a cut is marked. */
function shorten(text: string, { isWhole }: { readonly isWhole: boolean }): string | undefined {
  const lines = isOneLine(text) ? text.trim() : joinLines(text);
  if (lines === '') return undefined;
  if (isWhole && lines.length <= MAX_LENGTH) return lines;
  return `${lines.slice(0, MAX_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Most answers: to replace nothing in them takes longer than to look. */
function isOneLine(text: string): boolean {
  return !/[^\S ]| {2}/.test(text);
}

function joinLines(text: string): string {
  return text
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n[ \n]*/g, '\n')
    .trim();
}
