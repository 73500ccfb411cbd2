import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { ForeignFile } from '../../suites/convert/contract.ts';
import { recogniseForeign } from '../../suites/convert/recognise-foreign.ts';
import { FOREIGN_FORMATS } from '../../suites/convert/registry.ts';
import { PROMPTFOO_NAME } from '../../suites/load/foreign-files.ts';
import { fileFinding, readSuiteFile } from '../../suites/load/read-suite-file.ts';
import { holdsTests, sidecarPath } from '../../suites/load/sidecars.ts';
import { ProjectEvaluators } from '../evaluation/project-evaluators.ts';
import { codeFinding } from './code-finding.ts';
import { checkOutput } from './check-output.ts';
import { convertForeign } from './convert-foreign.ts';
import { convertSuite } from './convert-suite.ts';
import {
  readSuite,
  refuse,
  type ConvertRequest,
  type ConvertResult,
  type ConvertTask,
} from './conversion.ts';

/** Reads a suite or a file of another tool, and returns what is to be written. Writes nothing. */
export async function convertFile(request: ConvertRequest): Promise<ConvertResult> {
  const evaluators = new ProjectEvaluators({ mayExecute: request.trustConfig === true });
  try {
    const formats = await evaluators.formatsOf(request.file);
    const result = await convertToText({ ...request, formats });
    return printable({ ...result, findings: [...evaluators.findings, ...result.findings] }, request);
  } finally {
    await evaluators.close();
  }
}

/** A result of several files cannot be printed. */
function printable(result: ConvertResult, request: ConvertRequest): ConvertResult {
  const [, ...more] = result.outputs;
  if (request.out !== undefined || more.length === 0) return result;
  const message = 'the result takes more than one file, so it cannot be printed';
  return refuse(result.title, [
    ...result.findings,
    fileFinding(request.file, 'output_name', message, 'name the file to write with -o'),
  ]);
}

async function convertToText(request: ConvertTask): Promise<ConvertResult> {
  const { file, from, to, out } = request;
  const unusable = out === undefined ? [] : checkOutput(out, to);
  if (unusable.length > 0) return refuse('', unusable);
  const read = readSuiteFile(file);
  if ('finding' in read) {
    const isFolder = read.finding.code === 'not_a_file';
    return refuse('', [isFolder ? { ...read.finding, hint: 'name one file' } : read.finding]);
  }
  const source = { path: file, text: read.text, sidecar: readSidecarText(file) };
  const named = FOREIGN_FORMATS.find(({ name }) => name === from);
  if (named !== undefined) return convertForeign(named, source, request);
  const own = readSuite(source, request.formats);
  const foreign = recogniseForeign(source);
  // The evals of a skill run as they are, and are still those of another tool.
  const isOwn = foreign?.name !== 'agent-skills' && !PROMPTFOO_NAME.test(basename(file));
  if ('tests' in own && isOwn) return convertSuite(own, source, request);
  if (foreign !== undefined) return convertForeign(foreign, source, request);
  const code = codeFinding(source);
  return refuse('', code === undefined ? own.findings : [code]);
}

function readSidecarText(file: string): ForeignFile | undefined {
  const path = sidecarPath(file);
  if (path === file || !existsSync(path)) return undefined;
  const read = readSuiteFile(path);
  return 'text' in read && !holdsTests(path, read.text) ? { path, text: read.text } : undefined;
}
