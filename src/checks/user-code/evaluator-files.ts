import { existsSync } from 'node:fs';
import type { LoadedEvaluator } from '../contract/custom-evaluator.ts';
import { isEvaluatorFile } from '../custom/evaluator-reference.ts';
import { quoteName } from '../../base/schema/did-you-mean.ts';
import { EvaluatorFileError } from './evaluator-file-error.ts';
import type { PythonEvaluators, PythonOptions } from './python-evaluators.ts';

export interface EvaluatorFilesOptions extends PythonOptions {
  /** Of the project: what is above it says nothing about how a file is read. */
  readonly root: string;
}

/** The evaluators of files, each loaded once. */
export class EvaluatorFiles {
  private readonly options: EvaluatorFilesOptions;
  private readonly loading = new Map<string, Promise<ReadonlyMap<string, LoadedEvaluator>>>();
  private readonly python: PythonEvaluators[] = [];

  constructor(options: EvaluatorFilesOptions) {
    this.options = options;
  }

  /** By name. Rejects with an EvaluatorFileError if the file cannot be used. */
  load(path: string): Promise<ReadonlyMap<string, LoadedEvaluator>> {
    let loading = this.loading.get(path);
    if (loading === undefined) this.loading.set(path, (loading = this.read(path)));
    return loading;
  }

  async close(): Promise<void> {
    await Promise.all(this.python.map((each) => each.close()));
  }

  private async read(path: string): Promise<ReadonlyMap<string, LoadedEvaluator>> {
    if (!isEvaluatorFile(path))
      throw new EvaluatorFileError('evaluators are written in .ts, .js, .mts, .mjs, .cts, .cjs or .py files');
    if (!existsSync(path)) throw new EvaluatorFileError('there is no such file');
    const named = new Map<string, LoadedEvaluator>();
    for (const evaluator of await this.loadAll(path)) {
      if (named.has(evaluator.name))
        throw new EvaluatorFileError(
          `it has two evaluators named ${quoteName(evaluator.name)}: rename one of them`,
        );
      named.set(evaluator.name, evaluator);
    }
    return named;
  }

  private async loadAll(path: string): Promise<readonly LoadedEvaluator[]> {
    const { root, ...options } = this.options;
    if (!/\.py$/i.test(path)) {
      const { loadScriptEvaluators } = await import('./script-evaluators.ts');
      return loadScriptEvaluators(path, root);
    }
    const { PythonEvaluators: Python } = await import('./python-evaluators.ts');
    const python = new Python(path, options);
    this.python.push(python);
    return python.load();
  }
}
