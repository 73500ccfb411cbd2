import { resolve } from 'node:path';
import { REPORTERS } from '../show/reporters/registry.ts';
import { didYouMean } from '../base/schema/did-you-mean.ts';

/** A reporter on the command line. */
export interface ReporterSpec {
  /** From the registry, or the path of a module. */
  readonly name: string;
  readonly isModule: boolean;
  /** Undefined for stdout. */
  readonly file: string | undefined;
}

export interface UsageProblem {
  readonly problem: string;
  readonly hint: string;
}

export interface AskedReporters {
  /** Each a `NAME[=FILE]`. */
  readonly authored: readonly string[];
  /** `--output-file`. */
  readonly outputFile?: string | undefined;
  /** The reporter that writes to stdout if no other one is asked to. */
  readonly standard: 'terminal' | 'agent';
  /** If no other reporter writes to stdout, the standard one does; otherwise only if no reporter is named. */
  readonly keepsStandard: boolean;
}

/** The reporters of a command line, or what is wrong with them. */
export function reporterSpecs({
  authored,
  outputFile,
  standard,
  keepsStandard,
}: AskedReporters): readonly ReporterSpec[] | UsageProblem {
  const specs = authored.map(parseSpec);
  const unknown = specs.find(({ name, isModule }) => !isModule && !Object.hasOwn(REPORTERS, name));
  if (unknown !== undefined) return unknownReporter(unknown.name);
  const placed = outputFile === undefined ? specs : withOutputFile(specs, outputFile);
  if ('problem' in placed) return placed;
  const problem = clash(placed);
  if (problem !== undefined) return problem;
  const isSilent = keepsStandard ? !placed.some(isAlone) : placed.length === 0;
  return isSilent ? [{ name: standard, isModule: false, file: undefined }, ...placed] : placed;
}

/** A reporter that writes to stdout writes there alone, except beside the terminal reporter. */
export function isAlone({ name, isModule, file }: ReporterSpec): boolean {
  return file === undefined && (isModule || REPORTERS[name]?.isBeside !== true);
}

/** The files that the reporters of a command line write. */
export function writtenFiles(authored: readonly string[] = [], outputFile?: string): readonly string[] {
  return [...authored.map((reporter) => parseSpec(reporter).file), outputFile].filter(
    (file) => file !== undefined,
  );
}

/** It is read while it is written, not by a program. */
export function isForPeople({ name, isModule }: ReporterSpec): boolean {
  return !isModule && REPORTERS[name]?.isForPeople === true;
}

function parseSpec(authored: string): ReporterSpec {
  const isKnown = Object.hasOwn(REPORTERS, authored.split('=', 1)[0]!);
  const isModule = !isKnown && /^\.{0,2}\/|\.[cm]?[jt]s(?:=|$)/.test(authored);
  const [, name = '', file] =
    (isModule ? /^(.+?\.[cm]?[jt]s)(?:=(.*))?$/ : /^([^=]*)(?:=(.*))?$/s).exec(authored) ?? [];
  return {
    name: name === '' ? authored : name,
    isModule,
    file: file === '-' || file === '' ? undefined : file,
  };
}

function unknownReporter(name: string): UsageProblem {
  const names = Object.keys(REPORTERS);
  const hint =
    didYouMean(name, names) ??
    `use one of ${names.join(', ')}; for your own module, give its path: ./my-reporter.ts`;
  return { problem: `unknown reporter "${name}"`, hint };
}

/** It is the file of the one reporter without a file. */
function withOutputFile(
  specs: readonly ReporterSpec[],
  outputFile: string,
): readonly ReporterSpec[] | UsageProblem {
  const without = specs.filter(isAlone);
  if (without.length === 1) {
    const file = outputFile === '-' ? undefined : outputFile;
    return specs.map((spec) => (spec === without[0] ? { ...spec, file } : spec));
  }
  return without.length === 0
    ? { problem: '--output-file needs a reporter to write it', hint: `use --reporter NAME=${outputFile}` }
    : {
        problem: `--output-file names one file, but ${without.length} reporters need one`,
        hint: `name the file with each: ${without.map(({ name }) => `--reporter ${name}=FILE`).join(' ')}`,
      };
}

/** Two reporters must not write to the same place. */
function clash(specs: readonly ReporterSpec[]): UsageProblem | undefined {
  const alone = specs.filter(isAlone).map(({ name }) => name);
  if (alone.length > 1) {
    const others = alone.length === 2 ? 'one of them' : 'all but one of them';
    return {
      problem: `${alone.join(' and ')} would ${alone.length === 2 ? 'both' : 'all'} write to stdout`,
      hint: `give ${others} a file: --reporter ${alone.at(-1)}=FILE`,
    };
  }
  const files = specs.flatMap(({ file }) => (file === undefined ? [] : [resolve(file)]));
  const twice = files.find((file, index) => files.indexOf(file) !== index);
  return twice === undefined
    ? undefined
    : { problem: `two reporters would write to ${twice}`, hint: 'give each its own file' };
}
