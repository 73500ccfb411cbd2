import { basename } from '../../formats/path-names.ts';
import { hasErrors } from '../../../base/model/finding.ts';
import { isJsonList, isJsonObject, setOwn, type Json, type JsonObject } from '../../../base/model/json.ts';
import { printJson } from '../../../base/model/print-json.ts';
import { ConversionLog } from '../conversion-log.ts';
import type { Conversion, ConvertContext, ForeignFile } from '../contract.ts';
import { fieldOf, given, otherFields, textOf, type ForeignValue } from '../foreign-value.ts';
import { writeYaml } from '../write-yaml.ts';
import { canGroup, convertGroup, convertPrompts, convertUnit, type CaseContext } from './cases.ts';
import { CodeChecks } from './code-checks.ts';
import { ConfigFiles } from './config-files.ts';
import { readEvaluateOptions } from './evaluate-options.ts';
import { groupUnits, sameButPrompt, type Unit } from './grouping.ts';
import { readJudge } from './judge.ts';
import { parseForeign } from './js-numbers.ts';
import { resolveLocalReferences } from './local-references.ts';
import { mergeKeys } from './merge-keys.ts';
import { readPrompts } from './prompts.ts';
import { ProviderCode } from './provider-code.ts';
import { readProviders } from './providers.ts';
import { optionOf, readTests } from './read-tests.ts';
import { nameOf, Report } from './report.ts';
import { Targets } from './targets.ts';
import { planTest } from './test-plan.ts';
import { readVars } from './test-vars.ts';
import { caseId, withRowIds } from './case-id.ts';
import { resolveVariables } from './variables.ts';

/** A promptfoo config: a suite with its tests, a config with its providers, and its code as files beside them. */
export function convertPromptfoo(file: ForeignFile, context: ConvertContext): Conversion {
  const document = parseForeign(file.path, file.text);
  if (!('source' in document) || hasErrors(document.findings) || !isJsonObject(document.value))
    return {
      suite: undefined,
      findings: document.findings.length > 0 ? document.findings : [notAConfig(file.path)],
    };
  const files = new ConfigFiles(document.source, file.text, context);
  const config: ForeignValue = { value: resolveLocalReferences(mergeKeys(document.value)), path: [] };
  const conversion = new PromptfooConversion(config, files, stemOf(file.path));
  const { suite, more, findings } = conversion.convert();
  return { suite, files: more, findings: [...document.findings, ...files.findings, ...findings] };
}

/** A table of tests without its config: one of its columns is the prompt. */
export function convertPromptfooTable(file: ForeignFile, input: string, context: ConvertContext): Conversion {
  const config = { prompts: [`{{${input}}}`], tests: `file://${basename(file.path)}` };
  return convertPromptfoo({ path: file.path.replace(/\.csv$/i, '.json'), text: printJson(config) }, context);
}

function notAConfig(file: string): Conversion['findings'][number] {
  const message = 'this is not a promptfoo config: it does not contain an object';
  return { severity: 'error', code: 'type', message, file, line: 1, column: 1, path: '' };
}

/** The files beside the suite begin with it: `promptfooconfig.yaml` makes `promptfoo.checks.mjs`. */
function stemOf(path: string): string {
  const stem = basename(path)
    .replace(/(?:\.promptfoo)?\.\w+$/, '')
    .replace(/^promptfooconfig/, 'promptfoo');
  return stem.replaceAll(/[^\w.-]+/g, '-');
}

/** Fields that say nothing about tests. */
const QUIET: ReadonlySet<string> = new Set([
  '$schema',
  'description',
  'prompts',
  'providers',
  'targets',
  'tests',
  'scenarios',
  'defaultTest',
  'env',
  'tags',
  'sharing',
  'outputPath',
  'writeLatestResults',
  'commandLineOptions',
  'evaluateOptions',
  'assertionTemplates',
  'metadata',
]);

class PromptfooConversion {
  private readonly config: ForeignValue;
  private readonly files: ConfigFiles;
  private readonly log: ConversionLog;
  private readonly report: Report;
  /** What is said about the config that is written. */
  private readonly configLog: ConversionLog;
  private readonly configReport: Report;
  private readonly checks: CodeChecks;
  private readonly code: ProviderCode;

  constructor(config: ForeignValue, files: ConfigFiles, stem: string) {
    this.config = config;
    this.files = files;
    this.log = new ConversionLog(files.locate);
    this.report = new Report(this.log);
    this.configLog = new ConversionLog(files.locate);
    this.configReport = new Report(this.configLog);
    const fromResult = (path: string): string => files.fromResult(path);
    this.checks = new CodeChecks(stem, fromResult);
    this.code = new ProviderCode(stem, fromResult);
  }

  convert(): Pick<Conversion, 'suite' | 'findings'> & { readonly more: readonly ForeignFile[] } {
    const { config, files, report, code, log } = this;
    const providers = readProviders(config, { files, code, report: this.configReport });
    const targets = new Targets(providers, code);
    const options = readEvaluateOptions(fieldOf(config, 'evaluateOptions'), report);
    const judge = readJudge(config, files, this.configReport);
    const { evalcases, shared = targets.suite } = withSharedTargets(this.cases(targets));
    this.reportOthers();
    const document = given({
      description: textOf(fieldOf(config, 'description')),
      tags: tagsOf(fieldOf(config, 'tags')),
      target: shared.length === 1 ? shared[0] : undefined,
      targets: shared.length > 1 ? shared : undefined,
      // Every assertion of promptfoo must pass, unless a test has a threshold.
      threshold: 1,
      repeats: options.repeats,
      evalcases,
    });
    const settings = given({
      targets: targets.all.length === 0 ? undefined : targets.all,
      judge,
      workers: options.workers,
    });
    for (const { file, line, message } of files.findings)
      log.comment([], `not converted: ${basename(file)}:${line}: ${message}`);
    return {
      suite: { document, comments: log.comments },
      findings: [...log.findings, ...this.configLog.findings],
      more: [...this.configFile(settings), ...code.files, ...this.checks.files],
    };
  }

  private configFile(settings: JsonObject): readonly ForeignFile[] {
    const { comments } = this.configLog;
    if (Object.keys(settings).length === 0 && comments.length === 0) return [];
    return [{ path: 'assay.config.yaml', text: writeYaml(settings, comments) }];
  }

  private cases(targets: Targets): readonly JsonObject[] {
    const { files, report, code } = this;
    const tests = readTests(this.config, { files, report });
    const prompts = readPrompts(this.config, files, report);
    const stored = new Set(
      tests
        .map(({ layers }) => textOf(optionOf(layers, 'storeOutputAs')))
        .filter((name) => name !== undefined),
    );
    const env = this.environment();
    const units: Unit[] = [];
    for (const [index, test] of tests.entries()) {
      const plan = planTest(test, index + 1, { prompts, targets, report, at: ['evalcases', units.length] });
      const { combinations, varying, missing } = readVars(test, { files, report });
      for (const values of combinations) {
        const vars = resolveVariables(values, { stored, env });
        const unusable = new Map([...vars.unusable, ...missing]);
        const combination = varying.map((name) => String(values[name])).join(', ');
        for (const prompt of plan.prompts) {
          const own = targets.withPrompt(plan.targets, prompt);
          // No provider of the test has this prompt, so promptfoo does not run it.
          if (own?.length === 0) continue;
          units.push({
            plan: own === plan.targets ? plan : { ...plan, targets: own },
            prompt,
            combination,
            vars: { ...vars, unusable },
            rowId: undefined,
          });
        }
      }
    }
    return this.write(units, {
      passesVars: targets.hasCode || code.hasTransforms,
      passesPrompt: code.readsPrompt,
      stored,
    });
  }

  private write(
    units: readonly Unit[],
    context: Pick<CaseContext, 'passesVars' | 'passesPrompt' | 'stored'>,
  ): readonly JsonObject[] {
    const cases: JsonObject[] = [];
    const ids = new Set<string>();
    const { files, checks, report } = this;
    const here = () => ({ ...context, files, checks, report, at: ['evalcases', cases.length] });
    const grouped = groupUnits(units).filter((group) => canGroup(withRowIds(group, units, ids)));
    const inGroups = new Set(grouped.flat());
    const others = sameButPrompt(units.filter((unit) => !inGroups.has(unit)));
    const place = new Map(units.map((unit, index) => [unit, index]));
    const inOrder = [...grouped, ...others].toSorted((a, b) => place.get(a[0]!)! - place.get(b[0]!)!);
    const idOf = (unit: Unit): string => caseId([unit], units, ids);
    for (const some of inOrder) {
      if (inGroups.has(some[0]!)) {
        const named = withRowIds(some, units, ids);
        cases.push(convertGroup(named, caseId(named, units, ids), here()));
        continue;
      }
      const whole = some.length > 1 ? convertPrompts(some, idOf, here()) : undefined;
      if (whole !== undefined) cases.push(whole);
      else for (const unit of some) cases.push(convertUnit(unit, idOf(unit), here()));
    }
    return cases;
  }

  /** Variables of the environment that the config itself sets. */
  private environment(): JsonObject {
    const env = fieldOf(this.config, 'env');
    if (env === undefined || !isJsonObject(env.value)) return {};
    const values: Record<string, Json> = {};
    for (const [name, value] of Object.entries(env.value)) setOwn(values, name, String(value));
    return values;
  }

  private reportOthers(): void {
    for (const other of otherFields(this.config, QUIET)) {
      const what = nameOf(other);
      if (/^x-|^\./.test(what)) continue;
      this.report.lost(
        { what, why: WHY_LOST[what] ?? 'Assay has no counterpart', from: other.path, value: other.value },
        [],
      );
    }
  }
}

/** A transform of `defaultTest` gives every case the same targets: then they are the suite's. */
function withSharedTargets(cases: readonly JsonObject[]): {
  readonly evalcases: readonly JsonObject[];
  readonly shared?: readonly string[];
} {
  const names = ({ execution, targets }: JsonObject): Json =>
    targets ?? (isJsonObject(execution) ? [execution['target'] ?? null] : null);
  const lists = new Map(cases.map((each) => [printJson(names(each)), names(each)]));
  const [shared] = lists.values();
  if (lists.size !== 1 || !isJsonList(shared)) return { evalcases: cases };
  return {
    evalcases: cases.map(({ execution: _execution, targets: _targets, ...others }) => others),
    shared: shared as readonly string[],
  };
}

const WHY_LOST: Readonly<Record<string, string>> = {
  derivedMetrics: 'Assay computes no metrics of metrics',
  nunjucksFilters: 'templates of Assay have no filters',
  extensions: 'Assay has no hooks',
  redteam: 'Assay makes no attacks',
  tracing: 'Assay observes agents in other ways',
};

function tagsOf(field: ForeignValue | undefined): readonly string[] | undefined {
  if (field === undefined || !isJsonObject(field.value)) return undefined;
  return Object.entries(field.value).map(([key, value]) => `${key}:${String(value)}`);
}
