import {
  CompletionItemKind,
  InsertTextFormat,
  type CompletionItem,
  type Range,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { isJsonObject } from '../model/json.ts';
import type { JsonSchema } from '../schema/schema.ts';
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
  const { document, offset, schema } = request;
  const typed = typedAt(document, offset);
  if (typed === undefined) return [];
  const { found, isQuoted } = typed;
  const range = { start: document.positionAt(offset - typed.word.length), end: document.positionAt(offset) };
  if (found.role === 'key') return completeKeys(found, schema, { range, isQuoted });
  const schemas = schemasAt(schema, found, undefined);
  const items = [...schemas.flatMap(valuesOf), ...proposeNames(found, request.names)];
  return unique(items).map(({ value, doc, kind = CompletionItemKind.Value }) => ({
    label: value,
    kind,
    ...(doc === undefined ? {} : { documentation: { kind: 'markdown', value: doc } }),
    textEdit: { range, newText: value },
  }));
}

interface Typed {
  readonly found: FoundNode;
  /** The part of it before the cursor. */
  readonly word: string;
  readonly isQuoted: boolean;
}

/** What is being typed: the document is parsed with a word of our own at the cursor, as a key where one can be. */
function typedAt(document: TextDocument, offset: number): Typed | undefined {
  const text = document.getText();
  const isLines = /\.jsonl$/i.test(document.uri);
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const before = text.slice(lineStart, offset);
  const after = /^[^\r\n]*/.exec(text.slice(offset))![0];
  if (/(?:^|\s)#/.test(before.replaceAll(/"[^"]*"|'[^']*'/g, ''))) return undefined;
  const isKey = /^\s*(?:- +)*[\w.$<>[\]-]*$/.test(before) || /[{,]\s*[\w.$-]*$/.test(before);
  const inserted = isKey && !/^\s*:/.test(after) ? [`${CURSOR}: `, CURSOR] : [CURSOR];
  for (const words of inserted) {
    const marked = `${text.slice(0, offset)}${words}${text.slice(offset)}`;
    const found = nodeAt(marked, offset + 1, { isLines });
    const at = found?.text.indexOf(CURSOR) ?? -1;
    if (found === undefined || at === -1) continue;
    const isQuoted = /["']/.test(marked[found.start] ?? '');
    return { found, word: found.text.slice(0, at).slice(-before.length || found.text.length), isQuoted };
  }
  return undefined;
}

interface KeyPlace {
  readonly range: Range;
  readonly isQuoted: boolean;
}

function completeKeys(
  found: FoundNode,
  schema: JsonSchema,
  { range, isQuoted }: KeyPlace,
): readonly CompletionItem[] {
  const map = found.around.at(-1);
  const present = new Set(isJsonObject(map) ? Object.keys(map) : []);
  const here = { path: found.path.slice(0, -1), around: found.around };
  const items = new Map<string, CompletionItem>();
  for (const each of schemasAt(schema, here, withoutCursor(map))) {
    for (const [name, field] of Object.entries(
      (each['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>,
    )) {
      if (typeof field !== 'object' || field['doNotSuggest'] === true || present.has(name) || items.has(name))
        continue;
      items.set(name, {
        label: name,
        kind: CompletionItemKind.Property,
        documentation: { kind: 'markdown', value: String(field['description'] ?? '') },
        textEdit: { range, newText: isQuoted ? name : `${name}: ` },
      });
    }
    for (const { label, description } of (each['defaultSnippets'] ?? []) as readonly Snippet[])
      items.set(label, {
        label,
        kind: CompletionItemKind.Snippet,
        documentation: { kind: 'markdown', value: description },
        insertTextFormat: InsertTextFormat.PlainText,
        filterText: label.replace(/<.*/, ''),
        textEdit: { range, newText: label.replace(/<.*/, '') },
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
  readonly kind?: CompletionItemKind;
}

function valuesOf(schema: JsonSchema): readonly Proposal[] {
  const listed = (schema['enum'] ?? ('const' in schema ? [schema['const']] : [])) as readonly unknown[];
  const docs = (schema['enumDescriptions'] ?? []) as readonly string[];
  const { type = [] } = schema as { readonly type?: string | readonly string[] };
  const types = typeof type === 'string' ? [type] : type;
  return [
    ...listed.map((value, index) => ({ value: String(value), doc: docs[index] })),
    ...(types.includes('boolean') ? [{ value: 'true' }, { value: 'false' }] : []),
  ];
}

function unique(proposals: readonly Proposal[]): readonly Proposal[] {
  const byValue = new Map<string, Proposal>();
  for (const proposal of proposals) if (!byValue.has(proposal.value)) byValue.set(proposal.value, proposal);
  return [...byValue.values()];
}
