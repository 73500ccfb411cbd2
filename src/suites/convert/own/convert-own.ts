import { isWrittenForAgentv } from '../../formats/agentv/recognise-agentv.ts';
import type { Formats } from '../../formats/parse-suite.ts';
import { isJsonList, type Json, type JsonObject } from '../../../base/model/json.ts';
import type { Finding } from '../../../base/model/finding.ts';
import { printJson } from '../../../base/model/print-json.ts';
import type { Format } from '../../../base/model/suite.ts';
import type { Comment, ConvertedSuite, ForeignFile } from '../contract.ts';
import { ConversionLog, type Locate } from '../conversion-log.ts';
import { writeYaml } from '../write-yaml.ts';
import { withAgentvMeaning } from './agentv-meaning.ts';
import { evalToDataset } from './eval-to-dataset.ts';
import { evalToSteps } from './eval-to-steps.ts';
import { isJsonFile, type OwnSuite, type SuiteFiles } from './own-suite.ts';
import { stepsToEval } from './steps-to-eval.ts';

/** What is written, and what it does not say. */
export interface WrittenSuite {
  readonly files: SuiteFiles;
  readonly findings: readonly Finding[];
}

/** A suite of ours in another of our formats. */
export function convertOwn(suite: OwnSuite, target: Target, formats: Formats): WrittenSuite {
  const log = new ConversionLog(suite.locate);
  const authored = suite.format === 'steps' ? stepsToEval(suite, log) : (suite.value as JsonObject);
  const { kinds } = formats.evalFile;
  const isAgentv = suite.format === 'eval' && target.format !== 'eval' && isWrittenForAgentv(authored, kinds);
  const document = isAgentv ? (withAgentvMeaning(authored, kinds) as JsonObject) : authored;
  const own = suite.format === 'steps' && target.format === 'steps' ? suite.value : undefined;
  return write({ document, comments: [] }, { target, formats, log, own });
}

/** The suite of another tool in one of our formats. */
export function writeConverted(
  suite: ConvertedSuite,
  target: Target,
  { formats, locate }: Writing,
): WrittenSuite {
  return write(suite, { target, formats, log: new ConversionLog(locate), own: undefined });
}

export interface Target {
  readonly format: Format;
  /** Its name decides between YAML and JSON. */
  readonly path: string;
  /** Of a dataset's sidecar. */
  readonly sidecarPath: string;
}

interface Writing {
  readonly formats: Formats;
  readonly locate: Locate;
}

interface WriteContext {
  readonly target: Target;
  readonly formats: Formats;
  readonly log: ConversionLog;
  /** Step tests that stay step tests. */
  readonly own: Json | undefined;
}

function write(
  { document, comments }: ConvertedSuite,
  { target, formats, log, own }: WriteContext,
): WrittenSuite {
  const { path, sidecarPath } = target;
  const done = (text: string, sidecar?: ForeignFile): WrittenSuite => ({
    files: { path, text, ...(sidecar === undefined ? {} : { sidecar }) },
    findings: log.findings,
  });
  switch (target.format) {
    case 'eval':
      return done(print(path, document, comments));
    case 'dataset': {
      const { text, sidecar } = evalToDataset(document, log);
      return done(text, sidecar && { path: sidecarPath, text: writeYaml(sidecar) });
    }
    case 'steps': {
      const tests = own ?? evalToSteps(document, formats.stepTest, log);
      return done(print(path, tests, [...comments.map((each) => toSteps(each, tests)), ...log.comments]));
    }
  }
}

/** JSON has no comments: there, the findings have to do. */
function print(path: string, value: Json, comments: readonly Comment[]): string {
  return isJsonFile(path) ? `${printJson(value, '  ')}\n` : writeYaml(value, comments);
}

/** The same place in step tests, which are not below `evalcases`. */
function toSteps({ at, text }: Comment, tests: Json): Comment {
  const [list, index, ...inCase] = at;
  if (list !== 'evalcases' || typeof index !== 'number') return { at: [], text };
  return { at: isJsonList(tests) ? [index, ...inCase] : inCase, text };
}
