import { parseDocument } from '../formats/document.ts';
import { extname } from '../formats/path-names.ts';
import { readJson } from '../formats/read-json.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { Json } from '../../base/model/json.ts';
import type { ForeignFile, ForeignFormat } from './contract.ts';
import { convertHint } from './convert-hint.ts';
import { FOREIGN_FORMATS } from './registry.ts';

/** The tool that a file belongs to, if it is known. */
export function recogniseForeign(file: ForeignFile): ForeignFormat | undefined {
  const sniffed = { ...file, value: sniff(file) };
  return FOREIGN_FORMATS.find(({ recognises }) => recognises(sniffed));
}

/** What a file of another tool gets instead of findings about its fields. */
export function foreignFinding(file: ForeignFile, { title, hintOptions }: ForeignFormat): Finding {
  return {
    severity: 'error',
    code: 'foreign_format',
    message: `this is ${title}, not a suite of Assay`,
    hint: convertHint(file.path, hintOptions?.(file)),
    file: file.path,
    line: 1,
    column: 1,
    path: '',
  };
}

function sniff({ path, text }: ForeignFile): Json | undefined {
  switch (extname(path).toLowerCase()) {
    case '.json':
    case '.yaml':
    case '.yml': {
      const document = parseDocument(path, text, 'core');
      return 'source' in document ? document.value : undefined;
    }
    case '.jsonl': {
      const line = /^\uFEFF?\s*([^\n]*)/.exec(text)?.[1] ?? '';
      const read = readJson(line.trim());
      return 'value' in read ? read.value : undefined;
    }
    default:
      return undefined;
  }
}
