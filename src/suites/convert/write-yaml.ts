import { isJsonList, isJsonObject, type Json } from '../../base/model/json.ts';
import {
  escapeControls,
  quoteDouble,
  renderFlow,
  renderFlowText,
  renderLiteral,
} from '../formats/yaml/render-text.ts';
import type { Comment } from './contract.ts';

/** A document as YAML that both dialects read as the same values, with its comments. */
export function writeYaml(value: Json, comments: readonly Comment[] = []): string {
  const notes = new Notes();
  for (const comment of comments) attach(comment, value, notes);
  const lines = isBlock(value, notes) ? blockLines(value, 0, notes) : [renderFlow(value)];
  return `${[...notes.before.map(commentLine), ...lines].join('\n')}\n`;
}

/** The comments of a value, and those of the values in it. */
class Notes {
  readonly before: string[] = [];
  readonly atEnd: string[] = [];
  readonly inside = new Map<string | number, Notes>();

  of(segment: string | number): Notes {
    let notes = this.inside.get(segment);
    if (notes === undefined) this.inside.set(segment, (notes = new Notes()));
    return notes;
  }

  get isEmpty(): boolean {
    return this.atEnd.length === 0 && this.inside.size === 0;
  }
}

const NONE = new Notes();

function attach({ at, text }: Comment, root: Json, rootNotes: Notes): void {
  let value = root;
  let notes = rootNotes;
  for (const segment of at) {
    const child = childOf(value, segment);
    if (child === undefined) {
      const isFilled = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
      (isFilled ? notes.atEnd : notes.before).push(text);
      return;
    }
    value = child;
    notes = notes.of(segment);
  }
  notes.before.push(text);
}

function childOf(value: Json, segment: string | number): Json | undefined {
  if (isJsonList(value)) return typeof segment === 'number' ? value[segment] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
}

type Collection = readonly Json[] | { readonly [key: string]: Json };

function blockLines(value: Collection, indent: number, notes: Notes): string[] {
  const margin = ' '.repeat(indent);
  const lines: string[] = [];
  const say = (texts: readonly string[]): void => {
    for (const text of texts) lines.push(margin + commentLine(text));
  };
  if (isJsonList(value)) {
    for (const [index, item] of value.entries()) {
      const own = notes.inside.get(index) ?? NONE;
      say(own.before);
      const inner = itemLines(item, indent + 2, own);
      // A comment of the first key would stand between the dash and the key.
      while (inner[0]!.trimStart().startsWith('# ')) lines.push(margin + inner.shift()!.trimStart());
      lines.push(`${margin}- ${inner[0]!.trimStart()}`, ...inner.slice(1));
    }
  } else {
    for (const [key, item] of Object.entries(value)) {
      const own = notes.inside.get(key) ?? NONE;
      say(own.before);
      const name = margin + renderFlowText(key);
      if (isBlock(item, own)) lines.push(`${name}:`, ...blockLines(item, indent + 2, own));
      else lines.push(`${name}: ${scalar(item, indent + 2)}`);
    }
  }
  say(notes.atEnd);
  return lines;
}

function itemLines(item: Json, indent: number, notes: Notes): string[] {
  return isBlock(item, notes) ? blockLines(item, indent, notes) : [scalar(item, indent)];
}

function scalar(value: Json, indent: number): string {
  if (typeof value !== 'string' || !value.includes('\n')) return renderFlow(value);
  return renderLiteral(value, indent) ?? quoteDouble(value);
}

/** Short evaluators, messages and lists of words take one line. */
function isBlock(value: Json, notes: Notes): value is Collection {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return false;
  if (!notes.isEmpty) return true;
  if (isJsonObject(value) && !ONE_LINE_KEYS.some((key) => Object.hasOwn(value, key))) return true;
  const isShallow = Object.values(value).every((item: Json) => isOneLine(item));
  return !isShallow || renderFlow(value).length > LONGEST_LINE;
}

const ONE_LINE_KEYS = ['type', 'role', 'tool', 'path'];
const LONGEST_LINE = 80;

function isOneLine(value: Json): boolean {
  if (isJsonList(value)) return value.every((item) => typeof item !== 'object' || item === null);
  return (
    (typeof value !== 'object' || value === null) && !(typeof value === 'string' && value.includes('\n'))
  );
}

function commentLine(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const line = text.replaceAll(/[\x00-\x1f]+/g, ' ').replaceAll(LONE_SURROGATE, '\uFFFD');
  return `# ${escapeControls(line)}`.trimEnd();
}

const LONE_SURROGATE = /\p{Surrogate}/gu;
