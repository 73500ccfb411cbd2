import type { PathSegment } from '../../base/model/place.ts';
import type { ValueChange } from './plan-changes.ts';
import { renderValue } from './render-value.ts';
import { enter, type FoundNode, type SourceNode } from './source-tree.ts';

/** Characters of a text to replace. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface EditedText {
  readonly text: string;
  readonly root: FoundNode;
  readonly isJson: boolean;
}

/** The edit that makes a change, or why it cannot be made without losing something. */
export function toEdit(change: ValueChange, source: EditedText): Edit | { readonly refusal: string } {
  const found = walk(source.root, change.path);
  if (found === undefined) return addition(change, source);
  const { text, isJson } = source;
  const { node } = found;
  const { start, end, style, kind } = node;
  const old = text.slice(start, end);
  if (hasComment(old, node) && !isJson)
    return { refusal: 'there is a comment inside the value: change it by hand' };
  const endsLine = old.endsWith('\n');
  const isFollowed = !endsLine && /^[^\r\n]*\S/.test(text.slice(end, end + 1000));
  const rendered = renderValue(change.value, {
    isJson,
    isInFlow: isInFlow(source.root, change.path),
    style,
    kind,
    indent: indentOf(text, node, change.path),
    isMultiLine: old.includes('\n'),
    isFollowed,
  });
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = isJson ? rendered : rendered.replaceAll('\n', lineBreak);
  // An empty value is right after its colon.
  const blank = old === '' && !/\s/.test(text[start - 1] ?? ' ') ? ' ' : '';
  return { start, end, text: blank + lines + (endsLine ? lineBreak : '') };
}

/** A missing key is written before the first one, on its own line or inside the braces. */
function addition(
  change: ValueChange,
  { text, root, isJson }: EditedText,
): Edit | { readonly refusal: string } {
  const parent = walk(root, change.path.slice(0, -1));
  const first = parent?.node.entries[0];
  if (parent === undefined || first === undefined)
    return { refusal: 'its location in the file was not found' };
  const isFlow = parent.node.style === 'flow';
  const place = {
    isJson,
    isInFlow: isFlow,
    style: 'flow',
    kind: 'list',
    indent: 0,
    isMultiLine: false,
    isFollowed: false,
  } as const;
  const key = String(change.path.at(-1));
  const entry = `${isJson ? JSON.stringify(key) : key}: ${renderValue(change.value, place)}`;
  const { keyStart: start } = first;
  if (isFlow) return { start, end: start, text: `${entry}, ` };
  const margin = columnOf(text, start);
  return { start, end: start, text: `${entry}${text.includes('\r\n') ? '\r\n' : '\n'}${' '.repeat(margin)}` };
}

export function applyEdits(text: string, edits: readonly Edit[]): string {
  const ordered = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  let edited = '';
  let position = 0;
  for (const { start, end, text: replacement } of ordered) {
    edited += text.slice(position, start) + replacement;
    position = end;
  }
  return edited + text.slice(position);
}

function walk(root: FoundNode, path: readonly PathSegment[]): FoundNode | undefined {
  let found: FoundNode | undefined = root;
  for (const segment of path) found = found === undefined ? undefined : enter(found, segment);
  return found;
}

function isInFlow(root: FoundNode, path: readonly PathSegment[]): boolean {
  return path.some((_segment, depth) => {
    const node = walk(root, path.slice(0, depth))?.node;
    return node?.style === 'flow' && node.kind !== 'scalar';
  });
}

/** A block keeps its indentation; a new one is indented by two from the line it starts in. */
function indentOf(
  text: string,
  { start, end, kind, style }: SourceNode,
  path: readonly PathSegment[],
): number {
  if (kind !== 'scalar' && style === 'block') return columnOf(text, start);
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lead = /^[ ]*(?:- +)*/.exec(text.slice(lineStart, start))![0].length;
  if (style === 'flow') return /^ */.exec(text.slice(lineStart))![0].length;
  const own = style === 'block' ? /\n( +)\S/.exec(text.slice(start, end))?.[1]?.length : undefined;
  return own ?? (typeof path.at(-1) === 'number' ? lead : lead + 2);
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

/** Better too careful: a `#` that is not a comment only means that a person has to make the change. */
function hasComment(old: string, { kind, style }: SourceNode): boolean {
  if (kind === 'scalar') return style === 'block' && /^[^\n]*#/.test(old);
  return /(?:^|\s)#/.test(old);
}
