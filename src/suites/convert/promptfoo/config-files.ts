import { parseCsv } from '../../formats/csv/csv-reader.ts';
import { extname } from '../../formats/path-names.ts';
import { readJson } from '../../formats/read-json.ts';
import { hasErrors, type Finding } from '../../../base/model/finding.ts';
import type { Json } from '../../../base/model/json.ts';
import { formatPath, type PathSegment } from '../../../base/model/place.ts';
import type { Source } from '../../../base/schema/reader.ts';
import type { ConvertContext } from '../contract.ts';
import type { Locate } from '../conversion-log.ts';
import type { ForeignValue } from '../foreign-value.ts';
import { parseForeign } from './js-numbers.ts';
import { isPattern } from './file-reference.ts';
import { mergeKeys } from './merge-keys.ts';

/** A path that starts with this character and a name is a place in that file, not in the config. */
const FILE_MARK = '\u0000';

export type ReadDocument = { readonly value: ForeignValue } | { readonly problem: string };

/** The config and the files that it names. A value of any of them has a path that says where it is. */
export class ConfigFiles {
  /** Problems in the text of a file, at their places. What they are about is not in the result. */
  readonly findings: Finding[] = [];
  private readonly sources = new Map<string, Source>();
  private readonly documents = new Map<string, ReadDocument>();
  private readonly main: Source;
  private readonly context: ConvertContext;
  private readonly folder: string;
  private readonly lines: readonly string[];

  constructor(main: Source, text: string, context: ConvertContext) {
    this.main = main;
    this.lines = text.split(/\r?\n/);
    this.context = context;
    this.folder = main.file.slice(0, Math.max(main.file.lastIndexOf('/'), main.file.lastIndexOf('\\')) + 1);
  }

  readonly locate: Locate = (path, part) => {
    const [first, ...rest] = path;
    const name = nameOfFile(first);
    const source = name === undefined ? this.main : this.sources.get(name);
    if (source === undefined) return { file: this.fileOf(name!), line: 1, column: 1, path: '' };
    const inFile = name === undefined ? path : rest;
    return { file: source.file, ...source.locate(inFile, part), path: formatPath(inFile) };
  };

  /** Whether a value of the config is written in YAML without quotes. */
  isPlainScalar(path: readonly PathSegment[]): boolean {
    if (nameOfFile(path[0]) !== undefined || /\.json$/i.test(this.main.file)) return false;
    const { line, column } = this.main.locate(path, 'value');
    return /^\d/.test((this.lines[line - 1] ?? '').slice(column - 1));
  }

  /** The text of a file, from the folder of the config. */
  text(path: string): string | undefined {
    return this.context.readText(path);
  }

  /** The files that a pattern matches; the path itself if it is not a pattern. */
  matching(path: string): readonly string[] {
    return isPattern(path) ? this.context.findFiles(path) : [path];
  }

  /** As the generated files name it. */
  fromResult(path: string): string {
    const result = this.context.pathFromResult(path);
    return /^\.{0,2}\//.test(result) ? result : `./${result}`;
  }

  /** YAML, JSON, JSON lines or CSV. Rows of a CSV file are objects of strings. */
  document(path: string): ReadDocument {
    let read = this.documents.get(path);
    if (read === undefined) this.documents.set(path, (read = this.readDocument(path)));
    return read;
  }

  private readDocument(path: string): ReadDocument {
    const text = this.text(path);
    if (text === undefined)
      return { problem: `${path} is not a text file of this project that can be read (at most 10 MB)` };
    const file = this.fileOf(path);
    const at = [FILE_MARK + path];
    switch (extname(path).toLowerCase()) {
      case '.csv':
        return this.readRows(path, text);
      case '.jsonl':
        return this.readLines(path, text);
      default: {
        const document = parseForeign(file, text);
        this.findings.push(...document.findings);
        if (!('source' in document) || hasErrors(document.findings))
          return { problem: `${path} cannot be read` };
        this.sources.set(path, document.source);
        return { value: { value: mergeKeys(document.value), path: at } };
      }
    }
  }

  private readRows(path: string, text: string): ReadDocument {
    const { rows } = parseCsv(this.fileOf(path), text);
    this.findings.push(...rows.flatMap(({ findings }) => findings));
    const good = rows.filter(({ values }) => values !== undefined);
    this.sources.set(
      path,
      lineSource(
        this.fileOf(path),
        good.map(({ line }) => line),
      ),
    );
    return { value: { value: good.map(({ values }) => values!), path: [FILE_MARK + path] } };
  }

  private readLines(path: string, text: string): ReadDocument {
    const values: Json[] = [];
    const lines: number[] = [];
    for (const [index, line] of text.split('\n').entries()) {
      if (line.trim() === '') continue;
      const read = readJson(line.trim());
      if ('value' in read) {
        values.push(read.value);
        lines.push(index + 1);
      } else
        this.findings.push({
          severity: 'error',
          code: 'json',
          message: `Line ${index + 1}: Invalid JSON`,
          file: this.fileOf(path),
          line: index + 1,
          column: 1,
          path: '',
        });
    }
    this.sources.set(path, lineSource(this.fileOf(path), lines));
    return { value: { value: values, path: [FILE_MARK + path] } };
  }

  private fileOf(path: string): string {
    return this.folder + path.replace(/^\.\//, '');
  }
}

function nameOfFile(segment: PathSegment | undefined): string | undefined {
  return typeof segment === 'string' && segment.startsWith(FILE_MARK) ? segment.slice(1) : undefined;
}

/** Of a file with one value per line. */
function lineSource(file: string, lines: readonly number[]): Source {
  return {
    file,
    isLazy: false,
    locate: ([index]) => ({ line: typeof index === 'number' ? (lines[index] ?? 1) : 1, column: 1 }),
  };
}
