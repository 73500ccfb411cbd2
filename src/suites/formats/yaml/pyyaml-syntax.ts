import { EVENT_ID, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';
import type { SyntaxProblem } from '../syntax-problem.ts';
import { explainSyntaxError } from './explain-syntax-error.ts';
import { isBlockScalar, SPECIAL_BREAK } from './pyyaml-scalar.ts';
import { haveSameShape } from './same-shape.ts';
import type { YamlProblem } from './yaml-problem.ts';
import { composeYaml, parseYamlEvents, type YamlEvents, type YamlSyntax } from './syntax.ts';

/**
 * The syntax as PyYAML sees it: U+0085, U+2028 and U+2029 end a line, while YAML 1.2 reads them as text. The parser
 * gets a text of the same length in which they are line feeds. Values are read from the original text.
 */
export function parsePyYamlSyntax(text: string, core: YamlSyntax): YamlSyntax {
  const breaks = specialBreaks(text);
  const { problem, events, scalarAt } = parseLines(text, breaks, core);
  if (problem !== undefined) return { problem: 'problem' in core ? problem : { ...problem, hint: HINT } };
  const syntax = composeYaml(events, text);
  if ('problem' in syntax) return syntax;
  if (!('problem' in core) && haveSameShape(core.root, syntax.root)) return syntax;
  const outside = breaks.filter((offset) => !scalarAt.has(offset));
  return {
    ...syntax,
    warnings: (outside.length > 0 ? outside : breaks.slice(0, 1)).map((at) => lineEnds(text, at)),
  };
}

const HINT = String.raw`U+0085, U+2028 and U+2029 end a line here, as in PyYAML; write "\u2028" in double quotes if it is text`;

function lineEnds(text: string, offset: number): YamlProblem {
  const name = `U+${text.charCodeAt(offset).toString(16).padStart(4, '0')}`;
  return {
    severity: 'warning',
    code: 'yaml_dialect',
    path: [],
    message: `${name} ends a line (YAML 1.1, as PyYAML does); YAML 1.2 reads it as text`,
    hint: `end the line with a line feed, or write "\\${name.replace('U+', 'u')}" in double quotes if it is text`,
    offset,
  };
}

interface Lines {
  readonly problem?: SyntaxProblem;
  readonly events: Extract<YamlEvents, { events: unknown }>['events'];
  /** The scalar that contains a special break. */
  readonly scalarAt: ReadonlyMap<number, ScalarEvent>;
}

function parseLines(text: string, breaks: readonly number[], core: YamlSyntax): Lines {
  // Most such characters are in quotes, where YAML 1.2 sees them too. If that guess is wrong, start again without
  // it.
  const inQuotes = 'problem' in core ? [] : breaksInQuotes(text, breaks);
  const guessed = inQuotes.length === 0 ? undefined : parseIndented(text, breaks, inQuotes);
  if (guessed?.problem === undefined && guessed !== undefined) {
    if (inQuotes.every((offset) => isQuoted(guessed.scalarAt.get(offset)))) return guessed;
  }
  return parseIndented(text, breaks, []);
}

function breaksInQuotes(text: string, breaks: readonly number[]): readonly number[] {
  const parsed = parseYamlEvents(text);
  if ('error' in parsed) return [];
  const scalarAt = locateBreaks(parsed.events, breaks);
  return breaks.filter((offset) => isQuoted(scalarAt.get(offset)) && !beginsDocument(text, offset + 1));
}

/** How many characters may be parsed again to find out where indentation does not count. */
const MOST_PARSED = 50_000_000;

/**
 * In quotes and in brackets PyYAML ignores indentation but the parser does not: such a break is replaced by a
 * space.
 */
function parseIndented(text: string, breaks: readonly number[], blanksAt: readonly number[]): Lines {
  const blanks = new Set(blanksAt);
  for (let length = text.length; ; length += text.length) {
    const masked = mask(text, blanks);
    const parsed = parseYamlEvents(masked);
    if (!('error' in parsed)) return checkLines(masked, { breaks, blanks, events: parsed.events });
    const offset = length > MOST_PARSED ? undefined : unindentedAt(text, parsed.error);
    if (offset === undefined || blanks.has(offset))
      return { problem: explainSyntaxError(masked, parsed.error), events: [], scalarAt: new Map() };
    blanks.add(offset);
  }
}

function unindentedAt(
  text: string,
  { reason, offset }: { reason: string; offset: number },
): number | undefined {
  if (reason !== 'deficient indentation') return undefined;
  let before = offset - 1;
  while (text[before] === ' ' || text[before] === '\t') before--;
  return SPECIAL_BREAK.test(text[before] ?? '') && !beginsDocument(text, before + 1) ? before : undefined;
}

function beginsDocument(text: string, offset: number): boolean {
  return /^(?:---|\.\.\.)(?:[\s\u0085]|$)/.test(text.slice(offset, offset + 4));
}

function mask(text: string, blanks: ReadonlySet<number>): string {
  return text.replaceAll(/\r\u0085|[\u0085\u2028\u2029]/g, (lineBreak, offset: number) =>
    lineBreak.length === 2 ? '\n\n' : blanks.has(offset) ? ' ' : '\n',
  );
}

interface Parsed {
  readonly breaks: readonly number[];
  readonly blanks: ReadonlySet<number>;
  readonly events: Lines['events'];
}

function checkLines(masked: string, { breaks, blanks, events }: Parsed): Lines {
  const scalarAt = locateBreaks(events, breaks);
  const longKey = [...new Set(scalarAt.values())].find((scalar) => isImplicitKey(masked, scalar));
  if (longKey !== undefined)
    return { problem: problemAt('a key that goes over several lines', longKey.valueStart), events, scalarAt };
  // A space in a comment would have made the next line part of the comment.
  const inComment = [...blanks].find(
    (offset) => !scalarAt.has(offset) && /(?:^|\s)#/.test(lineBefore(masked, offset)),
  );
  if (inComment !== undefined)
    return { problem: problemAt('this line is not indented', inComment + 1), events, scalarAt };
  return { events, scalarAt };
}

function problemAt(message: string, offset: number): SyntaxProblem {
  return { code: 'yaml_syntax', message, hint: HINT, offset };
}

function lineBefore(text: string, offset: number): string {
  return text.slice(text.lastIndexOf('\n', offset) + 1, offset);
}

/** PyYAML does not accept a key over several lines, unless a `?` announces it. */
function isImplicitKey(text: string, scalar: ScalarEvent): boolean {
  if (isBlockScalar(scalar)) return false;
  const quote = isQuoted(scalar) ? 1 : 0;
  const isKey = /^[ \t]*:/.test(text.slice(scalar.valueEnd + quote, scalar.valueEnd + quote + 1000));
  return (
    isKey &&
    !/\?\s*$/.test(text.slice(Math.max(0, scalar.valueStart - quote - 1000), scalar.valueStart - quote))
  );
}

function isQuoted(scalar: ScalarEvent | undefined): boolean {
  return scalar?.style === SCALAR_STYLE.SINGLE_QUOTED || scalar?.style === SCALAR_STYLE.DOUBLE_QUOTED;
}

function specialBreaks(text: string): readonly number[] {
  return [...text.matchAll(/[\u0085\u2028\u2029]/g)].map((match) => match.index);
}

/** Both are in the order of the text. */
function locateBreaks(events: Lines['events'], breaks: readonly number[]): Map<number, ScalarEvent> {
  const located = new Map<number, ScalarEvent>();
  let next = 0;
  for (const event of events) {
    if (event.type !== EVENT_ID.SCALAR || event.valueStart === -1) continue;
    while (next < breaks.length && breaks[next]! < event.valueStart) next++;
    while (next < breaks.length && breaks[next]! < event.valueEnd) located.set(breaks[next++]!, event);
  }
  return located;
}
