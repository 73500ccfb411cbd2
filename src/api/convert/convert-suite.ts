import { convertOwn, type Target, type WrittenSuite } from '../../suites/convert/own/convert-own.ts';
import {
  caseListOf,
  isJsonFile,
  type OwnSuite,
  type SuiteFiles,
} from '../../suites/convert/own/own-suite.ts';
import { rowFilesOf } from '../../suites/convert/own/references.ts';
import { firstDifference } from '../../suites/convert/own/same-tests.ts';
import { stepTestSuite } from '../../suites/formats/step-test.ts';
import { countComments } from '../../suites/formats/yaml/comments.ts';
import { fileFinding } from '../../suites/load/read-suite-file.ts';
import { hasErrors, type Finding } from '../../base/model/finding.ts';
import { isJsonList, isJsonObject } from '../../base/model/json.ts';
import type { Format } from '../../base/model/suite.ts';
import {
  invalidResult,
  isLoss,
  outputsOf,
  readSuite,
  refuse,
  strayFiles,
  targetOf,
  weighLosses,
  type ConvertTask,
  type ConvertResult,
} from './conversion.ts';
import { movedReferences } from './moved-references.ts';

const TITLES: Readonly<Record<Format, string>> = {
  eval: 'an eval file',
  dataset: 'a dataset',
  steps: 'step tests',
};

/** Between our formats: nothing is written if something would be lost. A file that stays as it is, is copied. */
export function convertSuite(own: OwnSuite, source: SuiteFiles, request: ConvertTask): ConvertResult {
  const isSameFormat = own.format === request.to;
  const target = targetOf(isSameFormat ? { ...request, out: request.out ?? source.path } : request);
  const title = TITLES[own.format];
  const isCopy = isSameFormat && isJsonFile(source.path) === isJsonFile(target.path);
  if (!isCopy && hasOtherCaseFiles(own)) {
    const message = 'its cases are in other files, and those are not converted with it';
    return refuse(title, [
      fileFinding(source.path, 'not_converted', message, 'convert the files with the cases'),
    ]);
  }
  const written = isCopy ? copy(source, target) : convertOwn(own, target, request.formats);
  const findings = weighLosses(
    [
      ...written.findings,
      ...movedReferences(own.tests, {
        from: source.path,
        to: target.path,
        kinds: request.formats.evalFile.kinds,
        rowFiles: rowFilesOf(own),
      }),
      ...(isSameFormat ? changedIds(own, source.path, target.path) : []),
      ...(isCopy ? [] : lostComments(source)),
      ...strayFiles(written.files, request),
    ],
    request,
  );
  if (hasErrors(findings)) return refuse(title, findings);
  const result = readSuite(written.files, request.formats);
  if (!('tests' in result)) return refuse(title, [...findings, invalidResult(request, result.findings)]);
  const different = findings.some(isLoss) ? undefined : firstDifference(own.tests, result.tests);
  if (different !== undefined) {
    const dialect = rowsInDialect([...own.findings, ...result.findings], [source.path, target.path]);
    return refuse(title, [...findings, dialect ?? changedTest(request.file, different)]);
  }
  return { title, outputs: outputsOf(written.files), tests: result.tests.length, findings };
}

/** `tests: ./cases.jsonl`, or such a name among the cases. */
function hasOtherCaseFiles({ format, value }: OwnSuite): boolean {
  if (format === 'steps' || !isJsonObject(value)) return false;
  const cases = value[caseListOf(value)];
  return !isJsonList(cases) || cases.some((item) => !isJsonObject(item));
}

function copy({ text, sidecar }: SuiteFiles, target: Target): WrittenSuite {
  const beside = sidecar === undefined ? {} : { sidecar: { path: target.sidecarPath, text: sidecar.text } };
  return { files: { path: target.path, text, ...beside }, findings: [] };
}

/** Step tests without an id are named after their file. */
function changedIds({ format, name, value }: OwnSuite, from: string, to: string): readonly Finding[] {
  if (format !== 'steps' || stepTestSuite(to).dataset === name) return [];
  const items = isJsonList(value) ? value : [value];
  if (items.every((item) => isJsonObject(item) && typeof item['id'] === 'string')) return [];
  const message = `tests without an id are named after their file, so "${name}" would become "${stepTestSuite(to).dataset}"`;
  return [fileFinding(from, 'default_ids', message, 'give them ids, or keep the name of the file')];
}

function lostComments({ path, text }: SuiteFiles): readonly Finding[] {
  const count = /\.ya?ml$/i.test(path) ? countComments(text) : 0;
  if (count === 0) return [];
  const message = `${count === 1 ? 'a comment is' : `${count} comments are`} not carried over to the other format`;
  return [{ ...fileFinding(path, 'comments_lost', message), severity: 'warning' }];
}

/** Rows of a YAML file that step tests read otherwise than the other formats. */
function rowsInDialect(findings: readonly Finding[], suites: readonly string[]): Finding | undefined {
  const found = findings.find(({ code, file }) => code === 'yaml_dialect' && !suites.includes(file));
  return (
    found && {
      ...found,
      severity: 'error',
      code: 'rows_dialect',
      message: `step tests and the other formats read this row in different ways: ${found.message}`,
      hint: 'write it so that both read the same value, or use a .json, .jsonl or .csv file',
    }
  );
}

function changedTest(file: string, id: string): Finding {
  const message = `the test ${JSON.stringify(id)} would not mean the same in the other format, so nothing is written`;
  return fileFinding(file, 'conversion_differs', message, 'this is a defect of Assay: please report it');
}
