import { dirname, join } from 'node:path';
import type { TargetResolver } from '../../suites/config/target-resolver.ts';
import { gateFetch } from '../../evidence/observe/gate-fetch.ts';
import type { ObservationOptions } from '../../evidence/observe/observation.ts';
import type { Judge } from '../../checks/judges/judge.ts';
import type { JudgeChoice } from '../../checks/judges/resolve-judge.ts';
import type { WrapFetch } from '../../agents/llm/guarded-fetch.ts';
import { ModelError } from '../../agents/llm/model-error.ts';
import { locateFile, readReferencedFile } from '../../suites/load/file-parts.ts';
import { rootForSuite } from '../../suites/load/project-root.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { SchemaChecker } from './schema-checker.ts';
import type { AttemptContext } from '../../run/attempt/attempt.ts';
import type { ProjectEvaluators } from './project-evaluators.ts';

export interface EvaluationHostOptions {
  readonly resolver: TargetResolver;
  readonly projectRoot: string;
  /** `--allow-scripts`. */
  readonly allowScripts: boolean;
  readonly evaluators: ProjectEvaluators;
  /** Cache the replies of judges. */
  readonly useCache: boolean;
}

/**
 * What evaluators may use of the outside world: files of the project, programs if allowed, and the judges of the
 * config. Most runs need no judge, so the code for judges is loaded on first use.
 */
export function createEvaluationHost(options: EvaluationHostOptions): AttemptContext['evaluationHost'] {
  const judges = new Map<string, Judge>();
  let schemas: SchemaChecker | undefined;
  const { resolver, projectRoot, evaluators } = options;
  const cacheDirectory = options.useCache ? join(projectRoot, '.assay', 'cache', 'judge') : undefined;

  const judgeFor = async (file: string, choice: JudgeChoice): Promise<Judge> => {
    const [{ resolveJudge }, { createJudge }] = await Promise.all([
      import('../../checks/judges/resolve-judge.ts'),
      import('../../checks/judges/create-judge.ts'),
    ]);
    const config = resolveJudge(await resolver.judgesFor(file), choice);
    const key = printJson(config);
    let judge = judges.get(key);
    if (judge === undefined)
      judges.set(
        key,
        (judge = createJudge(config, {
          env: resolver.env,
          cacheDirectory,
          redactor: await resolver.redactor(),
        })),
      );
    return judge;
  };

  return ({ file, target, judgeCalls }, signal) => ({
    signal,
    readFile(path) {
      const read = readReferencedFile(path, { file, root: rootForSuite(file, projectRoot) });
      return 'text' in read ? Promise.resolve(read.text) : Promise.reject(new Error(read.problem));
    },
    findFile: (path) => locateFile(path, { file, root: rootForSuite(file, projectRoot) }),
    async checkSchema(schema, json) {
      const { SchemaChecker: Checker } = await import('./schema-checker.ts');
      return (schemas ??= new Checker()).check({ schema: printJson(schema), output: json }, signal);
    },
    async runScript(script) {
      const { createScriptRunner } = await import('../../checks/judges/script-runner.ts');
      const { scripts = {} } = await resolver.configFor(file);
      const run = createScriptRunner({
        isAllowed: options.allowScripts || scripts.allow === true,
        cwd: dirname(file),
        env: resolver.env,
        envNames: scripts.env,
        signal,
      });
      return run(script);
    },
    async loadEvaluator(reference) {
      const { scripts = {} } = await resolver.configFor(file);
      if (!options.allowScripts && scripts.allow !== true) {
        const { explainRefusal } = await import('../../checks/judges/script-refusal.ts');
        throw new Error(explainRefusal(reference));
      }
      return evaluators.load(reference, file, { env: resolver.env, envNames: scripts.env });
    },
    async assess(request) {
      const judgeTarget = await resolver.judgeTargetFor(file, target);
      const judge = await judgeFor(file, { wanted: request.target, judgeTarget });
      const reply = await judge.assess(request, { signal, wrapFetch: wrapFor(judgeCalls) });
      const isOwn =
        request.target === undefined && judge.name === (target ?? 'default') && judgeTarget === judge.name;
      return isOwn ? { ...reply, judgedItself: judge.name } : reply;
    },
    async ask(question, stop) {
      const judgeTarget = await resolver.judgeTargetFor(file, target);
      const judge = await judgeFor(file, { wanted: question.target, judgeTarget });
      try {
        return await judge.ask(question, {
          signal: AbortSignal.any([signal, stop]),
          wrapFetch: wrapFor(judgeCalls),
        });
      } catch (error) {
        // The script reads it, and a provider may repeat a key in it.
        if (error instanceof Error) error.message = (await resolver.redactor()).text(error.message);
        throw error;
      }
    },
    async judgeNames() {
      const { nameJudges } = await import('../../checks/judges/resolve-judge.ts');
      const judgeTarget = await resolver.judgeTargetFor(file, target);
      return nameJudges(await resolver.judgesFor(file), { judgeTarget });
    },
  });
}

/** Somebody may decide about the calls of judges. */
function wrapFor(calls: ObservationOptions | undefined): WrapFetch | undefined {
  if (calls === undefined) return undefined;
  return gateFetch(calls, { step: 1, toError: ({ kind, message }) => new ModelError(kind, message) });
}
