import { EVENT_ID, getScalarValue, parseEvents, SCALAR_STYLE, YAMLException, type Event } from 'js-yaml';
import { LIMITS } from '../limits.ts';
import { SyntaxStop, type SyntaxProblem } from '../syntax-problem.ts';
import { explainSyntaxError, TOO_DEEP, type RawYamlError } from './explain-syntax-error.ts';
import { readPyYamlScalar, SPECIAL_BREAK } from './pyyaml-scalar.ts';
import type { YamlProblem } from './yaml-problem.ts';
import { createTagReader } from './tags.ts';
import { grouped } from '../../../base/model/grouped.ts';

/** YAML as written, before its scalars are interpreted: the dialect depends on the format of the file. */
export type YamlNode = YamlScalar | YamlSequence | YamlMapping | YamlAlias;

interface NodeBase {
  readonly start: number;
  readonly tag?: string | undefined;
  /** An alias may point here. */
  readonly isAnchored: boolean;
  /** The number of nodes, the size of the text and the depth when aliases are expanded. */
  readonly size: number;
  readonly length: number;
  readonly height: number;
}

export interface YamlScalar extends NodeBase {
  readonly kind: 'scalar';
  /** As YAML 1.2 reads it. */
  readonly text: string;
  /** As PyYAML reads it, if that differs. */
  readonly pyyamlText?: string | undefined;
  readonly isPlain: boolean;
}

interface YamlSequence extends NodeBase {
  readonly kind: 'sequence';
  readonly items: readonly YamlNode[];
}

export interface YamlMapping extends NodeBase {
  readonly kind: 'mapping';
  readonly entries: readonly { readonly key: YamlNode; readonly value: YamlNode }[];
}

interface YamlAlias extends NodeBase {
  readonly kind: 'alias';
  readonly target: YamlNode;
}

export type YamlSyntax =
  | {
      readonly root: YamlNode | undefined;
      /** Warnings about the text as a whole. */
      readonly warnings?: readonly YamlProblem[];
    }
  | { readonly problem: SyntaxProblem };

export function parseYamlSyntax(text: string): YamlSyntax {
  const parsed = parseYamlEvents(text);
  return 'error' in parsed
    ? { problem: explainSyntaxError(text, parsed.error) }
    : composeYaml(parsed.events, text);
}

export type YamlEvents = { readonly events: readonly Event[] } | { readonly error: RawYamlError };

export function parseYamlEvents(text: string): YamlEvents {
  try {
    // One more level than the limit, so that exceeding it is reported in one place, below.
    return { events: parseEvents(text, { maxDepth: LIMITS.depth + 2 }) };
  } catch (error) {
    return { error: readYamlException(error) };
  }
}

/** The tree of a document from its events, whose offsets count in `text`. */
export function composeYaml(events: readonly Event[], text: string): YamlSyntax {
  try {
    return { root: composeDocument(events, text) };
  } catch (error) {
    if (error instanceof SyntaxStop) return { problem: error.problem };
    throw error;
  }
}

function readYamlException(error: unknown): RawYamlError {
  if (error instanceof YAMLException) return { reason: error.reason, offset: error.mark?.position ?? 0 };
  return { reason: error instanceof Error ? error.message : String(error), offset: 0 };
}

interface Frame {
  readonly kind: 'sequence' | 'mapping';
  readonly start: number;
  readonly tag: string | undefined;
  readonly anchor: string | undefined;
  readonly children: YamlNode[];
}

/** An explicit stack instead of recursion: events are flat, and so is this. */
function composeDocument(events: readonly Event[], text: string): YamlNode | undefined {
  const anchors = new Map<string, YamlNode | 'open'>();
  const stack: Frame[] = [];
  let readTag = createTagReader([]);
  let root: YamlNode | undefined;
  let documents = 0;
  let lastOffset = 0;
  const hasSpecialBreaks = SPECIAL_BREAK.test(text);

  const add = (node: YamlNode, anchor?: string): void => {
    if (anchor !== undefined) anchors.set(anchor, node);
    const parent = stack.at(-1);
    if (parent === undefined) root = node;
    else parent.children.push(node);
  };

  for (const event of events) {
    switch (event.type) {
      case EVENT_ID.DOCUMENT:
        if (++documents > 1)
          stop('yaml_documents', 'a second YAML document', {
            offset: documentStart(text, lastOffset),
            hint: 'a file contains one document: remove the "---" or split the file',
          });
        readTag = createTagReader(event.directives);
        break;
      case EVENT_ID.SCALAR: {
        const after = Math.max(lastOffset, event.anchorEnd, event.tagEnd);
        const start =
          event.valueStart === -1 ? emptyScalarOffset(text, after) : scalarStart(text, after, event);
        lastOffset = Math.max(lastOffset, event.valueEnd, start);
        const tag = readTag(text, event);
        const value = event.valueStart === -1 ? '' : getScalarValue(text, event);
        add(
          {
            kind: 'scalar',
            start,
            tag,
            text: value,
            pyyamlText:
              hasSpecialBreaks || event.valueEnd === text.length ? readPyYamlScalar(text, event) : undefined,
            isPlain: event.style === SCALAR_STYLE.PLAIN,
            isAnchored: event.anchorStart !== -1,
            size: 1,
            length: value.length,
            height: 0,
          },
          anchorOf(text, event),
        );
        break;
      }
      case EVENT_ID.ALIAS: {
        const name = text.slice(event.anchorStart, event.anchorEnd);
        const start = event.anchorStart - 1;
        lastOffset = event.anchorEnd;
        add(createAlias(name, start, anchors));
        break;
      }
      case EVENT_ID.SEQUENCE:
      case EVENT_ID.MAPPING: {
        const anchor = anchorOf(text, event);
        if (anchor !== undefined) anchors.set(anchor, 'open');
        const kind = event.type === EVENT_ID.MAPPING ? 'mapping' : 'sequence';
        lastOffset = Math.max(lastOffset, event.start);
        stack.push({ kind, start: event.start, tag: readTag(text, event), anchor, children: [] });
        break;
      }
      case EVENT_ID.POP: {
        const frame = stack.pop();
        if (frame !== undefined) add(closeCollection(frame), frame.anchor);
        break;
      }
    }
  }
  return root;
}

function createAlias(
  name: string,
  start: number,
  anchors: ReadonlyMap<string, YamlNode | 'open'>,
): YamlAlias {
  const target = anchors.get(name);
  if (target === undefined)
    stop('yaml_alias', `the alias *${name} has no anchor &${name} before it`, {
      offset: start,
      hint: `add &${name} to the right value, or put the text in quotes`,
    });
  if (target === 'open')
    stop('yaml_alias', `the alias *${name} is inside the value that it names`, { offset: start });
  return {
    kind: 'alias',
    start,
    target,
    isAnchored: false,
    size: target.size,
    length: target.length,
    height: target.height,
  };
}

function closeCollection({ kind, start, tag, anchor, children }: Frame): YamlNode {
  let size = 1;
  let length = 0;
  let height = 1;
  for (const child of children) {
    size += child.size;
    length += child.length;
    height = Math.max(height, child.height + 1);
  }
  if (size > LIMITS.nodes)
    stop('yaml_alias_bomb', `more than ${grouped(LIMITS.nodes)} values once aliases are expanded`, {
      offset: start,
      hint: 'use fewer aliases, or split the file',
    });
  if (length > LIMITS.fileBytes)
    stop('yaml_alias_bomb', 'more than 64 MB of text once aliases are expanded', {
      offset: start,
      hint: 'use fewer aliases, or split the file',
    });
  if (height > LIMITS.depth) stop('too_deep', TOO_DEEP.message, { offset: start, hint: TOO_DEEP.hint });
  const isAnchored = anchor !== undefined;
  if (kind === 'sequence') return { kind, start, tag, isAnchored, size, length, height, items: children };
  const entries = [];
  for (let index = 0; index < children.length; index += 2)
    entries.push({ key: children[index]!, value: children[index + 1]! });
  return { kind, start, tag, isAnchored, size, length, height, entries };
}

/** The opening quote or block indicator belongs to the scalar. */
function scalarStart(
  text: string,
  after: number,
  { style, valueStart }: { style: number; valueStart: number },
): number {
  if (style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED) return valueStart - 1;
  if (style === SCALAR_STYLE.PLAIN) return valueStart;
  const indicator = text.slice(after, valueStart).search(/[|>]/);
  return indicator === -1 ? valueStart : after + indicator;
}

/** An empty value is after its key's colon, dash or tag. */
function emptyScalarOffset(text: string, after: number): number {
  let offset = after;
  while (/["' ]/.test(text[offset] ?? '')) offset++;
  return /[:?-]/.test(text[offset] ?? '') ? offset + 1 : Math.min(offset, text.length);
}

/** The line of dashes (or, without one, the end of the first document). */
function documentStart(text: string, after: number): number {
  const marker = /^---(?=\s|$)/gm;
  marker.lastIndex = after;
  return marker.exec(text)?.index ?? after;
}

function anchorOf(
  text: string,
  { anchorStart, anchorEnd }: { anchorStart: number; anchorEnd: number },
): string | undefined {
  return anchorStart === -1 ? undefined : text.slice(anchorStart, anchorEnd);
}

function stop(code: string, message: string, { offset, hint }: { offset: number; hint?: string }): never {
  throw new SyntaxStop({ code, message, hint, offset });
}
