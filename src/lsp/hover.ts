import type { Hover } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Json } from '../base/model/json.ts';
import type { JsonSchema } from '../base/schema/schema.ts';
import { nodeAt } from './node-at.ts';
import { schemasAt } from './schema-at.ts';

/** What the field under the cursor is for, or what the value there means. */
export function hover(document: TextDocument, offset: number, schema: JsonSchema): Hover | undefined {
  const found = nodeAt(document.getText(), offset, { isLines: /\.jsonl$/i.test(document.uri) });
  if (found === undefined) return undefined;
  const { role, text, start, end } = found;
  const schemas = schemasAt(schema, found, role === 'key' ? undefined : text);
  const docs = (role === 'key' ? [] : schemas.flatMap((each) => docsOfValue(each, text))).concat(
    schemas.map((each) => each['description']).filter((doc) => typeof doc === 'string'),
  );
  // The field of this type of evaluator says more than the field of any evaluator: it comes last.
  const [doc] = role === 'key' ? docs : docs.toReversed().slice(-1);
  if (doc === undefined) return undefined;
  const range = { start: document.positionAt(start), end: document.positionAt(end) };
  return { contents: { kind: 'markdown', value: `**${nameOf(text)}**\n\n${doc}` }, range };
}

/** Markdown of a file must stay text. */
function nameOf(text: string): string {
  return text
    .slice(0, 80)
    .replaceAll(/[\\`*_{}[\]<>()#+!|\n-]/g, (letter) => (letter === '\n' ? ' ' : `\\${letter}`));
}

function docsOfValue(schema: JsonSchema, value: Json): readonly string[] {
  const index = ((schema['enum'] ?? []) as readonly Json[]).indexOf(value);
  const doc = ((schema['enumDescriptions'] ?? []) as readonly string[])[index];
  return doc === undefined ? [] : [doc];
}
