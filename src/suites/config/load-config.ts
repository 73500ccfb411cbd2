import { realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { summariseThrown } from '../../agents/describe-thrown.ts';
import { instanceOfCommand } from '../../base/system/command-end.ts';
import { loadModule } from '../../agents/load-module.ts';
import { parseDocument } from '../formats/document.ts';
import { confinement, isChanged, RESTART_SERVER } from '../load/confinement.ts';
import { findProjectRoot } from '../load/project-root.ts';
import { fileFinding, readSuiteFile } from '../load/read-suite-file.ts';
import { hasErrors, type Finding } from '../../base/model/finding.ts';
import { isJsonList, isJsonObject, ownValue, type Json } from '../../base/model/json.ts';
import { formatPath, type PathSegment, type Place } from '../../base/model/place.ts';
import { Reader, type Source } from '../../base/schema/reader.ts';
import { given } from '../../base/schema/refine.ts';
import type { AssayConfig, TargetConfig } from './config.ts';
import { readAgentvTargets } from './agentv-targets.ts';
import { checkJudges } from './check-judges.ts';
import { namelessTarget } from './find-target.ts';
import { warnAboutPlainSecrets } from './plain-secrets.ts';
import { configSchema } from './config-schema.ts';
import { isCode } from './find-config.ts';
import { withProjectEnvironment } from './project-environment.ts';
import { checkVariants } from './target-variants.ts';
import { checkTarget, saysItsKind } from './target-kind.ts';

export interface EvaluatorFile {
  /** As written: relative to the folder of the config. */
  readonly file: string;
  readonly place: Place & { readonly path: string };
}

export interface LoadedConfig {
  /** Undefined if it cannot be used at all. */
  readonly config?: AssayConfig | undefined;
  readonly findings: readonly Finding[];
  /** What is wrong with each target, by name: it matters when the target is used. */
  readonly targetFindings: ReadonlyMap<string, readonly Finding[]>;
  /** Judge names that match none of these targets: they matter when a judge is called. */
  checkJudges(targets: readonly TargetConfig[]): readonly Finding[];
  /** The files with custom evaluators, and where they are named. */
  readonly evaluatorFiles: readonly EvaluatorFile[];
  /** The place of each target. */
  readonly targetPlaces: ReadonlyMap<string, Place>;
  /** As it is written, also if it has errors: no output may show the secrets in it. */
  readonly raw: Json | undefined;
  /** Whether the file may be about something other than agents: it was read, and names no agent. */
  readonly isForeign: boolean;
}

/** Loads and checks a config. It is trusted: TypeScript and JavaScript configs are executed. */
export async function loadConfig(file: string): Promise<LoadedConfig> {
  return isCode(file) ? loadModuleConfig(file) : loadDataConfig(file);
}

function loadDataConfig(file: string): LoadedConfig {
  const read = readSuiteFile(file);
  if ('finding' in read) return unusable(read.finding);
  if (isChanged(resolve(file), read.text)) return unusable(changedConfig(file));
  const document = parseDocument(file, read.text, 'core');
  if (!('source' in document)) return unusable(...document.findings);
  const { value, source } = readAgentvTargets(file, document);
  const checked = check(value, source);
  const findings = [...document.findings, ...checked.findings];
  // Of two keys with one name, nobody knows which was meant.
  return hasErrors(document.findings)
    ? { ...checked, config: undefined, evaluatorFiles: [], findings }
    : { ...checked, findings };
}

async function loadModuleConfig(file: string): Promise<LoadedConfig> {
  let module: Readonly<Record<string, unknown>>;
  if (confinement()?.fixed !== undefined) {
    const read = readSuiteFile(file);
    if ('finding' in read || isChanged(resolve(file), read.text)) return unusable(changedConfig(file));
  }
  try {
    const root = findProjectRoot(process.cwd());
    module = await withProjectEnvironment(() => loadModule(file, { root, instance: instanceOfCommand() }));
  } catch (error) {
    return unusable(notLoaded(file, error));
  }
  const config = module['default'] ?? module['config'];
  if (config === undefined) {
    return unusable(
      fileFinding(
        file,
        'config',
        'the config exports nothing',
        'write `export default defineConfig({ ... })`',
      ),
    );
  }
  return check(config as Json, { file, isLazy: false, locate: () => ({ line: 1, column: 1 }) });
}

function changedConfig(file: string): Finding {
  const message = 'this config has changed since the server was started, so nothing runs';
  return fileFinding(file, 'config_not_fixed', message, RESTART_SERVER);
}

/** At the line of the config that failed; a place in a file that it imports is part of the message. */
function notLoaded(file: string, error: unknown): Finding {
  const { what, place, hint } = summariseThrown(error, import.meta.filename);
  const isHere = place !== undefined && [resolve(file), realpathSync(file)].includes(place.file);
  const elsewhere =
    place === undefined || isHere
      ? ''
      : ` (at ${relative(process.cwd(), place.file)}:${place.line}:${place.column})`;
  const finding = fileFinding(file, 'config', `the config cannot be loaded: ${what}${elsewhere}`, hint);
  return isHere ? { ...finding, line: place.line, column: place.column } : finding;
}

function check(value: Json, source: Source): LoadedConfig {
  const reader = new Reader(source);
  const config = configSchema.read(value ?? {}, reader) as AssayConfig | undefined;
  const { findings } = reader;
  const judge = isJsonObject(value) ? ownValue(value, 'judge') : undefined;
  reader.enter('judge');
  if (judge !== undefined) warnAboutPlainSecrets(judge, reader);
  reader.leave();
  return {
    raw: value,
    config: hasErrors(findings) ? undefined : config,
    findings,
    checkJudges: (targets) => checkJudges(value, { source, targets }),
    isForeign: !namesAgents(value),
    evaluatorFiles: hasErrors(findings) ? [] : listEvaluatorFiles(value, source),
    ...checkTargets(value, source),
  };
}

function namesAgents(config: Json): boolean {
  if (!isJsonObject(config)) return false;
  const targets = ownValue(config, 'targets');
  return (
    given(config, 'judge') ||
    (Array.isArray(targets) && targets.some((target) => given(target, 'name') && saysItsKind(target)))
  );
}

function listEvaluatorFiles(value: Json, source: Source): readonly EvaluatorFile[] {
  const files = isJsonObject(value) ? ownValue(value, 'evaluators') : undefined;
  const at = (file: Json, path: readonly PathSegment[]): EvaluatorFile => {
    const { line, column } = source.locate(path, 'value');
    return { file: file as string, place: { file: source.file, line, column, path: formatPath(path) } };
  };
  if (typeof files === 'string') return [at(files, ['evaluators'])];
  return isJsonList(files) ? files.map((file, index) => at(file, ['evaluators', index])) : [];
}

type CheckedTargets = Pick<LoadedConfig, 'targetFindings' | 'targetPlaces'>;

/** Each target is checked separately: a broken one affects only the tests that use it. */
function checkTargets(value: Json, source: Source): CheckedTargets {
  const found = new Map<string, readonly Finding[]>();
  const places = new Map<string, Place>();
  const targets = isJsonObject(value) ? value['targets'] : undefined;
  if (!Array.isArray(targets)) return { targetFindings: found, targetPlaces: places };
  const firstByName = new Map<string, string>(given(value, 'agent') ? [['default', 'agent']] : []);
  for (const [index, target] of (targets as readonly Json[]).entries()) {
    const readers = readersOf(target, () => new Reader(source, ['targets', index]));
    const [firstReader] = readers.values();
    warnAboutPlainSecrets(target, firstReader!);
    for (const [written, reader] of readers) {
      const name = written === '' ? namelessTarget(index) : written;
      const first = firstByName.get(name);
      if (first !== undefined)
        reader.error({
          code: 'duplicate_target',
          message: `"${name}" is already the name of \`${first}\``,
          hint: 'rename or remove one of them',
          at: ['name'],
        });
      else {
        firstByName.set(name, `targets[${index}]`);
        places.set(name, reader.place());
      }
      if (reader.findings.length > 0) found.set(name, [...(found.get(name) ?? []), ...reader.findings]);
    }
  }
  return { targetFindings: found, targetPlaces: places };
}

/** A reader for each target that an entry stands for, by name, with what is wrong with it. */
function readersOf(target: Json, createReader: () => Reader): ReadonlyMap<string, Reader> {
  const name = isJsonObject(target) ? ownValue(target, 'name') : undefined;
  const readers =
    isJsonObject(target) && given(target, 'variants')
      ? checkVariants(target, createReader)
      : new Map([[typeof name === 'string' ? name : '', createReader()]]);
  const [reader] = readers.values();
  if (!given(target, 'variants')) checkTarget(target, reader!);
  if (typeof name === 'string' && name.includes(','))
    reader!.warning({
      code: 'target_name',
      message: `--target takes "${name}" for several names: a comma separates them`,
      hint: 'write a backslash before the comma there, or use another character here',
      at: ['name'],
    });
  return readers;
}

function unusable(...findings: readonly Finding[]): LoadedConfig {
  return {
    findings,
    checkJudges: () => [],
    isForeign: false,
    evaluatorFiles: [],
    targetFindings: new Map(),
    targetPlaces: new Map(),
    raw: undefined,
  };
}
