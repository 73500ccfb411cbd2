import { join, resolve } from 'node:path';
import type { CassetteMode } from '../../evidence/cassettes/track.ts';
import { rubrics } from '../../checks/judging/rubric-schema.ts';
import { TargetResolver } from '../../suites/config/target-resolver.ts';
import { createJudge } from '../../checks/judges/create-judge.ts';
import type { Judge } from '../../checks/judges/judge.ts';
import type { JudgeConfig } from '../../checks/judges/judge-config.ts';
import { JudgeError } from '../../checks/judges/judge-error.ts';
import { readLabelledExamples } from '../../checks/judges/labelled-examples.ts';
import { resolveJudge } from '../../checks/judges/resolve-judge.ts';
import { findProjectRoot, isLinkOutOfProject } from '../../suites/load/project-root.ts';
import { fileFinding, outsideProject, readSuiteFile } from '../../suites/load/read-suite-file.ts';
import { hasErrors, type Finding } from '../../base/model/finding.ts';
import type { Json } from '../../base/model/json.ts';
import type { Environment } from '../../agents/llm/create-model.ts';
import { PROVIDERS } from '../../agents/llm/provider-names.ts';
import type { Schema } from '../../base/schema/schema.ts';
import { cassetteSettings } from '../targets/cassette-settings.ts';
import { openTapes } from './example-tapes.ts';
import { checkExamples, type CheckSettings } from './check-examples.ts';
import { createCheckReport, type CheckReport } from './check-report.ts';

export interface CheckJudgeOptions extends CheckSettings {
  /** Labelled examples, one per line. */
  readonly file: string;
  /** A target of the config, or `provider:model`. Default: the config's judge. */
  readonly judge?: string | undefined;
  /** Use only this config. */
  readonly config?: string | undefined;
  readonly env: Environment;
  /** Cache the judge's replies. */
  readonly useCache: boolean;
  /** Keep the calls of the judge in files. Default: as the config says. */
  readonly cassettes?: CassetteMode | 'off' | undefined;
  readonly ci?: boolean | undefined;
}

export interface CheckedJudge {
  /** Undefined if the findings contain an error: then the judge was not called. */
  readonly report?: CheckReport | undefined;
  readonly findings: readonly Finding[];
}

/** Compares a judge with people, on examples that people have labelled. Throws if the config cannot be used. */
export async function checkJudge(options: CheckJudgeOptions): Promise<CheckedJudge> {
  const { file } = options;
  if (isLinkOutOfProject(file)) return { findings: [outsideProject(file)] };
  const read = readSuiteFile(file);
  if ('finding' in read) return { findings: [read.finding] };
  const { examples, findings } = readLabelledExamples(
    file,
    read.text,
    rubrics as unknown as Schema<readonly Json[]>,
  );
  if (hasErrors(findings)) return { findings };
  if (examples.length === 0)
    return { findings: [...findings, fileFinding(file, 'no_examples', 'the file contains no examples')] };
  const resolver = new TargetResolver(
    { config: options.config, mayExecute: true },
    process.cwd(),
    options.env,
  );
  const settings = await cassetteSettings(options, resolver, resolve(file));
  if (settings !== undefined) await resolver.useCassettes({ isReplay: settings.mode === 'replay' });
  let judge: Judge;
  try {
    judge = await findJudge(resolver, { ...options, useCache: options.useCache && settings === undefined });
  } catch (error) {
    if (!(error instanceof JudgeError)) throw error;
    return { findings: [...findings, fileFinding(file, error.code, error.message)] };
  }
  const tapes = settings === undefined ? undefined : await openTapes(settings, { resolver, file, judge });
  const report = createCheckReport(
    judge.name,
    await checkExamples(examples, tapes?.judgeFor ?? (() => judge), options),
  );
  return { report, findings: [...findings, ...(tapes?.close(report.results) ?? [])] };
}

async function findJudge(
  resolver: TargetResolver,
  { file, judge: wanted, useCache }: CheckJudgeOptions,
): Promise<Judge> {
  const chosen = modelNamed(wanted) ?? resolveJudge(await resolver.judgesFor(file), { wanted });
  const cacheDirectory = join(findProjectRoot(process.cwd()), '.assay', 'cache', 'judge');
  return createJudge(chosen, {
    env: resolver.env,
    cacheDirectory: useCache ? cacheDirectory : undefined,
    redactor: await resolver.redactor(),
  });
}

function modelNamed(wanted: string | undefined): JudgeConfig | undefined {
  const [, name, model] = /^([a-z-]+):(.+)$/.exec(wanted ?? '') ?? [];
  const provider = PROVIDERS.find((known) => known === name);
  return provider === undefined || model === undefined ? undefined : { name: wanted!, provider, model };
}
