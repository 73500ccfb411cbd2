import type { Finding } from '../model/finding.ts';
import { isJsonObject, ownValue, type Json } from '../model/json.ts';
import type { Test } from '../model/test.ts';
import { Reader, type Source } from '../schema/reader.ts';
import { describe } from '../schema/values.ts';
import { isCleanJson } from './clean-json.ts';
import type { EvalCaseSchema } from './eval-case-schema.ts';
import { readEvalCase, type SuiteDefaults } from './eval-case.ts';
import { reportDuplicateId } from './eval-file.ts';
import { IdTable } from './id-table.ts';
import { parseJsonTree } from './json-tree.ts';
import { createColumnCounter, type ColumnCounter } from './columns.ts';
import { JsonOffsets } from './json-offset.ts';
import { findOffset, type Located } from './located.ts';

/** What one line of a dataset holds: a test, or the reasons why it holds none; nothing for a blank line. */
export interface DatasetLine {
  readonly line: number;
  readonly test?: Test;
  readonly findings: readonly Finding[];
}

export interface DatasetOptions {
  readonly file: string;
  readonly schema: EvalCaseSchema;
  readonly defaults: SuiteDefaults;
  /** Who read the file before has found that no id is there twice. */
  readonly areIdsKnown?: boolean | undefined;
}

/** Reads the lines of one dataset, in order. It remembers their ids and nothing else. */
export class DatasetReader {
  private readonly options: DatasetOptions;
  private readonly ids: IdTable | undefined;

  constructor(options: DatasetOptions) {
    this.options = options;
    if (options.areIdsKnown !== true) this.ids = new IdTable();
  }

  /** `text` is the line without its line feed; `line` counts from 1. */
  read(text: string, line: number): DatasetLine | undefined {
    const body = line === 1 && text.startsWith('\uFEFF') ? text.slice(1) : text;
    if (BLANK.test(body)) return undefined;
    const { file, schema, defaults } = this.options;
    const parsed = parseLine(body);
    const reader = new Reader(new LineSource(file, body, line));
    if ('problem' in parsed) return { line, findings: [this.syntaxFinding(parsed.problem, body, line)] };
    if (!isJsonObject(parsed.value)) {
      reader.error({
        code: 'not_object',
        message: `a line must be an object (an eval case), but is ${describe(parsed.value)}`,
      });
      return { line, findings: reader.findings };
    }
    const test = readEvalCase(parsed.value, reader, { schema, defaults });
    const id = ownValue(parsed.value, 'id');
    const before = typeof id === 'string' ? this.ids?.add(id, line) : undefined;
    if (before !== undefined) reportDuplicateId(id as string, before, reader);
    return test === undefined || before !== undefined
      ? { line, findings: reader.findings }
      : { line, test, findings: reader.findings };
  }

  private syntaxFinding({ code, message, hint, offset }: LineProblem, body: string, line: number): Finding {
    const looksPrettyPrinted = /^\s*[[{]\s*$/.test(body);
    const help = looksPrettyPrinted
      ? 'this looks like JSON over several lines: a dataset has one case per line'
      : hint;
    return {
      severity: 'error',
      code,
      message: code === 'json' ? `Line ${line}: Invalid JSON: ${message}` : message,
      ...(help === undefined ? {} : { hint: help }),
      file: this.options.file,
      line,
      column: createColumnCounter(body).between(0, offset) + 1,
      path: '',
    };
  }
}

const BLANK = /^[ \t\r]*$/;

interface LineProblem {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly offset: number;
}

/** JSON.parse when that is known to be right; the reader with places when it is not. */
function parseLine(text: string): { readonly value: Json } | { readonly problem: LineProblem } {
  try {
    const value = JSON.parse(text) as Json;
    if (isCleanJson(text, value)) return { value };
  } catch {
    // Said better, and with its place, by the other reader.
  }
  const tree = parseJsonTree(text);
  return 'problem' in tree ? tree : { value: tree.root.value };
}

/** A longer line is made a tree of, once: looking through it for each of its places would take too long. */
const LONGEST_SCANNED = 16_384;

/** Places inside one line, looked for when they are asked for. */
class LineSource implements Source {
  readonly isLazy = true;
  readonly file: string;
  private readonly text: string;
  readonly line: number;
  private root: Located | undefined;
  private offsets: JsonOffsets | undefined;
  private columns: ColumnCounter | undefined;

  constructor(file: string, text: string, line: number) {
    this.file = file;
    this.text = text;
    this.line = line;
  }

  locate(path: Parameters<Source['locate']>[0], part: 'key' | 'value'): { line: number; column: number } {
    const { text, line } = this;
    const offset =
      text.length <= LONGEST_SCANNED
        ? (this.offsets ??= new JsonOffsets(text)).find(path, part)
        : findOffset(this.tree(), path, part);
    this.columns ??= createColumnCounter(text);
    return { line, column: this.columns.between(0, offset) + 1 };
  }

  private tree(): Located {
    if (this.root === undefined) {
      const parsed = parseJsonTree(this.text);
      this.root = 'root' in parsed ? parsed.root : { value: null, start: 0 };
    }
    return this.root;
  }
}
