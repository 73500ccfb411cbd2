import {
  CompletionItemKind,
  InsertTextFormat,
  type CompletionItem,
  type Range,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { stringify } from 'yaml';
import { isJsonObject } from '../base/model/json.ts';
import type { JsonSchema } from '../base/schema/schema.ts';
import { nodeAt, type FoundNode } from './node-at.ts';
import { proposeNames, type ProjectNames } from './propose-names.ts';
import { schemasAt } from './schema-at.ts';

/** Stands for what is about to be typed. No file contains it. */
const CURSOR = 'assayCursor\uE000';

export interface CompletionRequest {
  readonly document: TextDocument;
  readonly offset: number;
  readonly schema: JsonSchema;
  readonly names: ProjectNames;
}

/** What may be written at the cursor: fields and values of the schema, and names of the project. */
export function complete(request: CompletionRequest): readonly CompletionItem[] {
  for (const typed of typedAt(request.document, request.offset)) {
    const items = typed.found.role === 'key' ? completeKeys(typed, request) : completeValues(typed, request);
    if (items.length > 0 || !canBeValue(typed.found)) return items;
  }
  return [];
}

/** The first word of an item of a list: it becomes a key only if a colon follows. */
function canBeValue({ role, path, around }: FoundNode): boolean {
  const map = around.at(-1);
  return (
    role === 'key' && typeof path.at(-2) === 'number' && isJsonObject(map) && Object.keys(map).length === 1
  );
}

interface Typed {
  readonly found: FoundNode;
  /** The part of it before the cursor. */
  readonly word: string;
  /** The part of a key after the cursor, if its colon is there already. */
  readonly rest: string | undefined;
  readonly style: Style;
}

/** How a text is written at the cursor: as in YAML or in JSON, or between quotes that are there. */
type Style = 'yaml' | 'json' | '"' | "'";

/** What is being typed: the document is parsed with a word of our own at the cursor, as a key where one can be. */
function* typedAt(document: TextDocument, offset: number): Generator<Typed> {
  const text = document.getText();
  const isLines = /\.jsonl$/i.test(document.uri);
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const before = text.slice(lineStart, offset);
  const after = /^[^\r\n]*/.exec(text.slice(offset))![0];
  if (/(?:^|\s)#/.test(before.replaceAll(/"[^"]*"|'[^']*'/g, ''))) return;
  const isKey = /^\s*(?:- +)*[\w.$<>[\]-]*$/.test(before) || /[{,]\s*[\w.$-]*$/.test(before);
  const rest = /^([\w.$-]*)["']?\s*:(?:\s|$)/.exec(after)?.[1];
  const inserted = isKey && rest === undefined ? [`${CURSOR}: `, CURSOR] : [CURSOR];
  for (const words of inserted) {
    const marked = `${text.slice(0, offset)}${words}${text.slice(offset)}`;
    const found = nodeAt(marked, offset + 1, { isLines });
    if (found === undefined) continue;
    const style = styleAt(marked[found.start], document);
    const word = marked.slice(found.start + (style.length === 1 ? 1 : 0), offset);
    // Otherwise it is the middle of a text, or of a key that is one only because of our colon.
    if (!found.text.startsWith(`${word}${CURSOR}`)) continue;
    if (found.role === 'key' && /\s/.test(word)) continue;
    yield { found, word, rest, style };
  }
}

function styleAt(first: string | undefined, { uri, languageId }: TextDocument): Style {
  if (first === '"' || first === "'") return first;
  return /\.jsonl?$/i.test(uri) || languageId.startsWith('json') ? 'json' : 'yaml';
}

/** A text as it is written there, so that it is read as this text. */
function written(text: string, style: Style): string {
  if (style === "'") return text.replaceAll("'", "''");
  if (style !== 'yaml') return style === '"' ? JSON.stringify(text).slice(1, -1) : JSON.stringify(text);
  // Older YAML reads `off` and `yes` as something else, and braces may be around it.
  return stringify([text], { version: '1.1', collectionStyle: 'flow', lineWidth: 0 })
    .trim()
    .slice(1, -1)
    .trim();
}

function rangeOf({ word }: Typed, { document, offset }: CompletionRequest, rest = ''): Range {
  return {
    start: document.positionAt(offset - word.length),
    end: document.positionAt(offset + rest.length),
  };
}

function completeValues(typed: Typed, request: CompletionRequest): readonly CompletionItem[] {
  const { found, style } = typed;
  const range = rangeOf(typed, request);
  const schemas = schemasAt(request.schema, found, undefined);
  const items = [...schemas.flatMap(valuesOf), ...proposeNames(found, request.names)];
  return unique(items).map(({ value, doc, isText = true, kind = CompletionItemKind.Value }) => ({
    label: value,
    kind,
    ...(doc === undefined ? {} : { documentation: { kind: 'markdown', value: doc } }),
    textEdit: { range, newText: isText ? written(value, style) : value },
  }));
}

function completeKeys(typed: Typed, request: CompletionRequest): readonly CompletionItem[] {
  const { found, word, style, rest } = typed;
  // Only what has begun to be typed is replaced.
  const range = rangeOf(typed, request, word === '' ? '' : rest);
  const colon = style === '"' || style === "'" || (rest !== undefined && word !== '') ? '' : ': ';
  const map = found.around.at(-1);
  const present = new Set(isJsonObject(map) ? Object.keys(map) : []);
  const here = { path: found.path.slice(0, -1), around: found.around };
  const items = new Map<string, CompletionItem>();
  for (const each of schemasAt(request.schema, here, withoutCursor(map))) {
    for (const [name, field] of Object.entries(
      (each['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>,
    )) {
      if (typeof field !== 'object' || field['doNotSuggest'] === true || present.has(name) || items.has(name))
        continue;
      items.set(name, {
        label: name,
        kind: CompletionItemKind.Property,
        documentation: { kind: 'markdown', value: String(field['description'] ?? '') },
        textEdit: { range, newText: `${style === 'json' ? JSON.stringify(name) : name}${colon}` },
      });
    }
    for (const { label, description } of (each['defaultSnippets'] ?? []) as readonly Snippet[])
      items.set(label, {
        label,
        kind: CompletionItemKind.Snippet,
        documentation: { kind: 'markdown', value: description },
        insertTextFormat: InsertTextFormat.PlainText,
        filterText: label.replace(/<.*/, ''),
        textEdit: { range, newText: `${style === 'json' ? '"' : ''}${label.replace(/<.*/, '')}` },
      });
  }
  return [...items.values()];
}

interface Snippet {
  readonly label: string;
  readonly description: string;
}

/** The mapping as it is without what is being typed: its `type` decides which fields it has. */
function withoutCursor(
  map: FoundNode['around'][number] | undefined,
): FoundNode['around'][number] | undefined {
  if (!isJsonObject(map)) return undefined;
  return Object.fromEntries(Object.entries(map).filter(([key]) => !key.includes(CURSOR)));
}

export interface Proposal {
  readonly value: string;
  readonly doc?: string | undefined;
  /** False for a number, `true`, `false` and `null`. */
  readonly isText?: boolean;
  readonly kind?: CompletionItemKind;
}

function valuesOf(schema: JsonSchema): readonly Proposal[] {
  const constant = 'const' in schema ? [schema['const']] : undefined;
  const listed = (schema['enum'] ?? constant ?? schema['examples'] ?? []) as readonly unknown[];
  const docs = (schema['enumDescriptions'] ?? []) as readonly string[];
  const { type = [] } = schema as { readonly type?: string | readonly string[] };
  const types = typeof type === 'string' ? [type] : type;
  return [
    ...listed.map((value, index) => ({
      value: String(value),
      doc: docs[index],
      isText: typeof value === 'string',
    })),
    ...(types.includes('boolean')
      ? [
          { value: 'true', isText: false },
          { value: 'false', isText: false },
        ]
      : []),
  ];
}

function unique(proposals: readonly Proposal[]): readonly Proposal[] {
  const byValue = new Map<string, Proposal>();
  for (const proposal of proposals) if (!byValue.has(proposal.value)) byValue.set(proposal.value, proposal);
  return [...byValue.values()];
}
