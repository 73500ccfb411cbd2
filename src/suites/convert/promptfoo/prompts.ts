import { extname } from '../../formats/path-names.ts';
import { isJsonList, isJsonObject, ownValue } from '../../../base/model/json.ts';
import { parseCsv } from '../../formats/csv/csv-reader.ts';
import { fieldOf, itemsOf, textOf, type ForeignValue } from '../foreign-value.ts';
import type { ConfigFiles } from './config-files.ts';
import { isCode, isPattern, parseFileReference } from './file-reference.ts';
import type { Report } from './report.ts';

export interface Prompt {
  /** The template, before anything is filled in. */
  readonly raw: string;
  /** For ids and for the `prompts` of a test. */
  readonly label: string;
  /** As code sees it. */
  readonly shown: string;
  readonly names: readonly string[];
  readonly from: ForeignValue['path'];
  /** Why its text is not known. */
  readonly problem?: string | undefined;
}

/** The prompts of a config. Without any, promptfoo sends the variable `prompt`. */
export function readPrompts(config: ForeignValue, files: ConfigFiles, report: Report): readonly Prompt[] {
  const field = fieldOf(config, 'prompts');
  if (field === undefined)
    return [{ raw: '{{prompt}}', label: 'prompt', shown: '{{prompt}}', names: [], from: config.path }];
  return listed(field).flatMap((item, index) => readPrompt(item, index, { files, report }));
}

/** One prompt, a list, or a map from prompts to labels. */
function listed(field: ForeignValue): readonly ForeignValue[] {
  if (isJsonList(field.value)) return itemsOf(field);
  if (!isJsonObject(field.value)) return [field];
  return Object.entries(field.value).map(([raw, label]) => ({
    value: { raw, label },
    path: [...field.path, raw],
  }));
}

interface Reading {
  readonly files: ConfigFiles;
  readonly report: Report;
}

/** A text of a prompt, or why there is none. */
interface PromptText {
  readonly raw: string;
  readonly label?: string | undefined;
  readonly problem?: string | undefined;
}

function readPrompt(item: ForeignValue, index: number, { files, report }: Reading): readonly Prompt[] {
  const raw = textOf(item) ?? textOf(fieldOf(item, 'raw')) ?? textOf(fieldOf(item, 'id')) ?? '';
  const label = textOf(fieldOf(item, 'label'));
  const id = textOf(fieldOf(item, 'id'));
  const config = fieldOf(item, 'config');
  if (config !== undefined) {
    const why = 'settings belong to a target';
    report.lost({ what: 'config of a prompt', why, from: config.path, value: config.value }, []);
  }
  const texts = textsOf(raw, files);
  return texts.map((each, position) => {
    const own = each.label ?? label ?? id;
    const short = own ?? `prompt ${index + 1}`;
    return {
      ...each,
      label: texts.length > 1 && each.label === undefined ? `${short}.${position + 1}` : short,
      shown: own ?? each.raw,
      names: [own, id, label, raw].filter((name) => name !== undefined),
      from: item.path,
    };
  });
}

/** The texts that a prompt stands for. One that cannot be read still has its tests: they are skipped. */
function textsOf(raw: string, files: ConfigFiles): readonly PromptText[] {
  if (raw === '') return [{ raw, problem: 'it is not a string' }];
  const path = pathOf(raw, files);
  if (path === undefined) return [{ raw }];
  if (isService(raw)) return [{ raw, problem: 'prompts of a prompt service cannot be read' }];
  const found = files.matching(path);
  if (found.length === 0) return [{ raw, problem: 'no file matches it' }];
  return found.flatMap((each) => {
    if (isCode(each)) return [{ raw, problem: 'a prompt that code makes cannot be read: write its text' }];
    const text = files.text(each);
    return text === undefined
      ? [{ raw, problem: `${each} is not a text file of this project that can be read` }]
      : promptsIn(each, text);
  });
}

function isService(raw: string): boolean {
  return /^(?:langfuse|portkey|helicone):\/\//.test(raw);
}

/** A path needs `file://`, unless such a file exists. */
function pathOf(raw: string, files: ConfigFiles): string | undefined {
  if (raw.includes('\n')) return undefined;
  if (isService(raw)) return raw;
  const reference = parseFileReference(raw);
  if (reference !== undefined) return reference.path;
  const looksLikeFile = /^[^\s{}]+\.(?:txt|md|j2|json|jsonl|ya?ml|csv|[cm]?[jt]s|py)(?::\w+)?$/i.test(raw);
  if (!looksLikeFile) return undefined;
  return isPattern(raw) || isCode(raw.replace(/:\w+$/, '')) || files.text(raw) !== undefined
    ? raw
    : undefined;
}

function promptsIn(path: string, text: string): readonly PromptText[] {
  const body = text.replace(/^\uFEFF/, '');
  switch (extname(path).toLowerCase()) {
    case '.txt':
      // A line of three dashes stands between prompts.
      return body
        .split(/^[^\S\n]*---[^\S\n]*$/m)
        .map((part) => ({ raw: part.replaceAll('\r\n', '\n').trim() }))
        .filter(({ raw }) => raw !== '');
    case '.jsonl':
      return body
        .split(/\r?\n/)
        .filter((line) => line !== '')
        .map((raw) => ({ raw }));
    case '.csv':
      return csvPrompts(path, body);
    default:
      return [{ raw: body }];
  }
}

function csvPrompts(path: string, text: string): readonly PromptText[] {
  const { header, rows } = parseCsv(path, text);
  if (!header.includes('prompt'))
    return text
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '')
      .map((raw) => ({ raw }));
  return rows.flatMap(({ values, line, findings }): readonly PromptText[] => {
    if (values === undefined)
      return [{ raw: `${path}:${line}`, problem: findings[0]?.message ?? 'it cannot be read' }];
    const [raw, label] = [ownValue(values, 'prompt'), ownValue(values, 'label')];
    if (typeof raw !== 'string' || raw === '') return [];
    return [{ raw, ...(typeof label === 'string' && label !== '' ? { label } : {}) }];
  });
}
