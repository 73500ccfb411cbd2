import { extname } from '../../formats/path-names.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../../base/model/json.ts';
import { fieldOf, itemsOf, textOf, type ForeignValue } from '../foreign-value.ts';
import type { ConfigFiles } from './config-files.ts';
import { testOfRow } from './csv-tests.ts';
import { isCode, isPattern, parseFileReference } from './file-reference.ts';
import type { Report } from './report.ts';

/** A test with what its defaults and its scenario add. Every value says where it comes from. */
export interface AuthoredTest {
  readonly from: ForeignValue['path'];
  /** The objects that it is merged of, the nearest last. */
  readonly layers: readonly ForeignValue[];
  readonly asserts: readonly ForeignValue[];
}

interface Reading {
  readonly files: ConfigFiles;
  readonly report: Report;
}

/** The tests of a config, in promptfoo's order: `tests`, then those of the scenarios. */
export function readTests(config: ForeignValue, reading: Reading): readonly AuthoredTest[] {
  const defaults = readDefaults(fieldOf(config, 'defaultTest'), reading);
  const make = (layers: readonly ForeignValue[]): AuthoredTest => mergeTest(defaults, layers, reading);
  const tests = readList(fieldOf(config, 'tests'), reading, []).map((test) => make([test]));
  const scenarios = readList(fieldOf(config, 'scenarios'), reading, []);
  const ofScenarios = scenarios.flatMap((scenario) => {
    const field = fieldOf(scenario, 'config');
    const settings = readList(field, reading, []);
    if (settings.length === 0)
      reading.report.lost(
        {
          what: 'a scenario',
          why: 'it has no `config`, so it has no tests',
          from: scenario.path,
          value: scenario.value,
        },
        [],
      );
    const inner = fieldOf(scenario, 'tests');
    const own = inner === undefined ? [{ value: {}, path: scenario.path }] : readList(inner, reading, []);
    return settings.flatMap((data) => own.map((test) => make([data, test])));
  });
  const hasNone = fieldOf(config, 'tests') === undefined && fieldOf(config, 'scenarios') === undefined;
  return hasNone ? [make([{ value: {}, path: config.path }])] : [...tests, ...ofScenarios];
}

function readDefaults(field: ForeignValue | undefined, { files, report }: Reading): ForeignValue | undefined {
  if (field === undefined) return undefined;
  const reference = parseFileReference(textOf(field) ?? '');
  const read = reference === undefined ? { value: field } : files.document(reference.path);
  if ('value' in read && isJsonObject(read.value.value)) return read.value;
  const why = 'problem' in read ? read.problem : 'it is not an object';
  report.lost({ what: 'defaultTest', why, from: field.path, value: field.value }, []);
  return undefined;
}

/** A list of tests, a file with one, or a list in which some items are files. */
function readList(
  field: ForeignValue | undefined,
  reading: Reading,
  chain: readonly string[],
): readonly ForeignValue[] {
  if (field === undefined) return [];
  const { files, report } = reading;
  if (isJsonList(field.value)) return itemsOf(field).flatMap((item) => readList(item, reading, chain));
  const lose = (why: string): readonly ForeignValue[] => {
    report.lost({ what: listName(field), why, from: field.path, value: field.value }, []);
    return [];
  };
  const path = pathOfTests(field);
  if (path === undefined) return isJsonObject(field.value) ? [field] : lose('it is not a test');
  if (/^[a-z]+:\/\//.test(path)) return lose('tests are read from files only: save them in one');
  if (isPattern(path)) {
    const found = files.matching(path);
    const named = found.map((each) => ({ value: `file://${each}`, path: field.path }));
    return found.length === 0
      ? lose('no file matches it')
      : named.flatMap((each) => readList(each, reading, [...chain, path]));
  }
  if (isCode(path.replace(/:\w+$/, '')))
    return lose('tests that code makes cannot be read: save them in a file');
  if (chain.includes(path)) return lose(`${[...chain, path].join(' names ')}, which never ends`);
  const read = files.document(path);
  if ('problem' in read) return lose(read.problem);
  const isTable = extname(path).toLowerCase() === '.csv';
  const list = isTable ? itemsOf(read.value).map((row) => testOfRow(row, report)) : undefined;
  return list ?? readList(read.value, reading, [...chain, path]);
}

/** What the list is called that something is in: `tests`, `scenarios`, `assert`. */
function listName({ path }: ForeignValue): string {
  const names = path.filter((segment) => typeof segment === 'string' && LISTS.has(segment));
  return String(names.at(-1) ?? 'tests');
}

const LISTS: ReadonlySet<string> = new Set(['tests', 'scenarios', 'config', 'assert']);

/** A path, also without `file://`; `{path, config}` names code. */
function pathOfTests(field: ForeignValue): string | undefined {
  const text =
    textOf(field) ?? (fieldOf(field, 'vars') === undefined ? textOf(fieldOf(field, 'path')) : undefined);
  if (text === undefined) return undefined;
  return parseFileReference(text)?.path ?? text.replace(/^\.\//, '');
}

function mergeTest(
  defaults: ForeignValue | undefined,
  layers: readonly ForeignValue[],
  reading: Reading,
): AuthoredTest {
  const own = layers.at(-1)!;
  const all = defaults === undefined ? layers : [defaults, ...layers];
  const isWithoutDefaults = optionOf(all, 'disableDefaultAsserts')?.value === true;
  const asserting = isWithoutDefaults ? layers : all;
  return {
    from: own.path,
    layers: all,
    asserts: asserting.flatMap((layer) => readList(fieldOf(layer, 'assert'), reading, [])),
  };
}

/** A field of a test; the nearest one wins. */
export function testField({ layers }: Pick<AuthoredTest, 'layers'>, key: string): ForeignValue | undefined {
  return layers.map((layer) => fieldOf(layer, key)).findLast((field) => field !== undefined);
}

/** A setting under `options`. */
export function optionOf(layers: readonly ForeignValue[], key: string): ForeignValue | undefined {
  return layers
    .map((layer) => fieldOf(layer, 'options'))
    .map((options) => options && fieldOf(options, key))
    .findLast((field) => field !== undefined);
}

/** The fields of an object that the layers share, such as `vars` and `metadata`. */
export function mergedFields(
  layers: readonly ForeignValue[],
  key: string,
): ReadonlyMap<string, ForeignValue> {
  const merged = new Map<string, ForeignValue>();
  for (const layer of layers) {
    const field = fieldOf(layer, key);
    if (field === undefined || !isJsonObject(field.value)) continue;
    for (const [name, value] of Object.entries(field.value))
      merged.set(name, { value, path: [...field.path, name] });
  }
  return merged;
}

export function toObject(fields: ReadonlyMap<string, ForeignValue>): JsonObject {
  return Object.fromEntries([...fields].map(([name, { value }]): [string, Json] => [name, value]));
}
