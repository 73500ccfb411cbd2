import { resolve } from 'node:path';
import type { AssertionKinds } from '../../checks/contract/assertion-kinds.ts';
import { checkTargetSetup } from '../../suites/config/check-target-setup.ts';
import { configFolder } from '../../suites/config/find-config.ts';
import type { TargetConfig } from '../../suites/config/config.ts';
import { allTargets, findTargets } from '../../suites/config/find-target.ts';
import type { KnownConfig } from '../../suites/config/config-files.ts';
import { fileForHints, fileOfTarget } from '../../suites/config/join-configs.ts';
import type { TargetError } from '../../suites/config/target-error.ts';
import { noTarget } from '../../suites/config/unusable-target.ts';
import { hasErrors, type Finding } from '../../base/model/finding.ts';
import { ofRow } from '../../base/model/row-finding.ts';
import type { Test } from '../../base/model/test.ts';
import type { Environment } from '../../agents/llm/create-model.ts';
import { Preflight, type StoppedAssertion } from '../../run/attempt/preflight.ts';
import type { Obstacle } from '../../checks/contract/preflight.ts';
import { testWeaknesses } from '../check-suite/test-weaknesses.ts';
import { createPreflightHosts, type KnownJudges, type TestPlace } from '../evaluation/preflight-hosts.ts';

export interface ValidationSources {
  readonly env: Environment;
  readonly projectRoot: string;
  readonly kinds: AssertionKinds;
  /** What is known about the config of a suite. */
  configOf(file: string): Promise<KnownConfig>;
}

/** What a run of these tests would lack, found without calling or starting anything. */
export class ValidationPreflight {
  private readonly sources: ValidationSources;
  private readonly checks: Preflight;
  private readonly hosts: ReturnType<typeof createPreflightHosts>;
  private readonly checkedTargets = new Set<string>();
  /** For the current suite. */
  private file = '';
  private reported = new Set<string>();

  constructor(sources: ValidationSources) {
    this.sources = sources;
    this.checks = new Preflight(sources.kinds);
    this.hosts = createPreflightHosts({
      env: sources.env,
      projectRoot: sources.projectRoot,
      judgesFor: (place) => this.judgesFor(place),
      // The command line of the run decides whether they may run.
      mayRunScripts: () => Promise.resolve(true),
    });
  }

  /** Suite by suite: a problem of a suite is not repeated for each of its tests. */
  check(file: string, test: Test): readonly Finding[] | Promise<readonly Finding[]> {
    if (file !== this.file) [this.file, this.reported] = [file, new Set()];
    const isKnown =
      namesOf(test).every((name) => this.checkedTargets.has(targetKey(file, name))) &&
      !this.checks.needsCheck(test);
    return test.skip !== undefined || isKnown ? [] : this.look(file, test);
  }

  private async look(file: string, test: Test): Promise<readonly Finding[]> {
    const isReplayed = await this.isReplayed(file);
    // A run that replays what was recorded needs no key.
    const isMissing = ({ code }: { readonly code: string }): boolean =>
      !(isReplayed && code === 'unset_variable');
    const found: Finding[] = [];
    for (const name of namesOf(test))
      found.push(...(await this.checkTargets(file, name, test)).filter(isMissing));
    if (!this.checks.needsCheck(test)) return found;
    for (const target of namesOf(test))
      for (const each of await this.checks.check(test, this.hosts({ file, target })))
        for (const finding of this.findingsOf(each))
          if (isMissing(finding)) found.push(ofRow(finding, test.row));
    return [...found, ...this.schemaWarnings(test)];
  }

  private async isReplayed(file: string): Promise<boolean> {
    const { joined } = await this.sources.configOf(file);
    return joined.config?.cassettes?.mode === 'replay';
  }

  /** What a run would report about a JSON Schema: keywords that are not applied. */
  private schemaWarnings(test: Test): readonly Finding[] {
    return testWeaknesses(test, { kinds: this.sources.kinds, defaultThreshold: undefined }).filter(
      ({ code, file, line, column, message }) =>
        code === 'schema_keyword' &&
        // An assertion of the whole suite is in every test.
        this.isNew(`${file}:${line}:${column} ${code} ${message.replace(`"${test.id}"`, '')}`),
    );
  }

  private *findingsOf({ assertion, obstacles }: StoppedAssertion): Generator<Finding> {
    const { name, place } = assertion;
    for (const { code, message, isLocal } of obstacles) {
      const { file, line, column } = place;
      // A judge is the same for all tests of a suite; a problem of one test is reported at its place.
      const where = isLocal || isAboutJudge(code) ? '' : `${file}:${line}:${column}`;
      if (!this.isNew(`${where} ${code} ${message}`)) continue;
      yield { severity: isLocal ? 'warning' : 'error', code, message, file, line, column, path: name };
    }
  }

  private isNew(key: string): boolean {
    if (this.reported.has(key)) return false;
    if (this.reported.size >= MOST_KEPT) this.reported.clear();
    this.reported.add(key);
    return true;
  }

  private async judgesFor({ file, target }: TestPlace): Promise<KnownJudges | { readonly unknown: string }> {
    const { joined, unread } = await this.sources.configOf(file);
    const { config } = joined;
    const unknown = unread ?? joined.files.find(({ loaded }) => loaded.config === undefined)?.path;
    if (config === undefined || unknown !== undefined)
      return {
        unknown: `it is not known whether there is a judge, because the config ${unknown} was not read`,
      };
    const judgeTarget = findTargets(allTargets(config), target)[0]?.judge_target;
    const targets = allTargets({ targets: config.targets ?? [] });
    const sources = { ...config, targets, ...fileForHints(joined) };
    return { sources: sources as KnownJudges['sources'], judgeTarget };
  }

  /** The targets that run the test if the command line names no others. */
  private async checkTargets(
    file: string,
    wanted: string | undefined,
    { place }: Test,
  ): Promise<readonly Finding[]> {
    this.checkedTargets.add(targetKey(file, wanted));
    const { joined, unread } = await this.sources.configOf(file);
    // A config that was not read may define any target differently.
    if (joined.config === undefined || unread !== undefined) return [];
    const targets = findTargets(allTargets(joined.config), wanted);
    if (targets.length === 0 && wanted !== undefined && joined.files.length > 0)
      return [unknownTarget(noTarget(file, wanted, joined), place)];
    const found: Finding[] = [];
    for (const target of targets) found.push(...(await this.checkTarget(file, target, joined)));
    return found;
  }

  private async checkTarget(
    file: string,
    target: TargetConfig,
    joined: KnownConfig['joined'],
  ): Promise<readonly Finding[]> {
    const { path, loaded } = fileOfTarget(joined, target.name) ?? {};
    if (path === undefined || loaded === undefined) return [];
    const key = `${path} ${target.name}`;
    const place = loaded.targetPlaces.get(target.name);
    // `agent: ...` has nothing that could be unset; problems in the file are reported there.
    const isReported = hasErrors(loaded.targetFindings.get(target.name) ?? []);
    if (place === undefined || isReported || this.checkedTargets.has(key)) return [];
    this.checkedTargets.add(key);
    const folder = configFolder(resolve(path));
    return checkTargetSetup(target, { env: this.sources.env, folder, suite: file, place });
  }
}

function namesOf({ target, targets }: Test): readonly (string | undefined)[] {
  return targets ?? [target];
}

function targetKey(file: string, wanted: string | undefined): string {
  return JSON.stringify([file, wanted]);
}

/** A warning: `--agent` and `--target` replace the targets of a file. */
function unknownTarget({ message, hint }: TargetError, { file, line, column }: Test['place']): Finding {
  return { severity: 'warning', code: 'unknown_target', message, hint, file, line, column, path: 'target' };
}

function isAboutJudge(code: Obstacle['code']): boolean {
  return code === 'judge_setup';
}

/** The most that are remembered for one suite: a dataset may be wrong in every line. */
const MOST_KEPT = 1000;
