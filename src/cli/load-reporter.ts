import { describeThrown } from '../agents/describe-thrown.ts';
import { instanceOfCommand } from '../base/system/command-end.ts';
import { describeLoadProblem } from '../agents/load-problem.ts';
import { loadModule, type UserModule } from '../agents/load-module.ts';
import { findProjectRoot } from '../suites/load/project-root.ts';
import type { Reporter, ReporterContext, ReporterFactory } from '../show/reporters/reporter.ts';

/** A reporter that cannot be used: its module is wrong, or its file cannot be written. */
export class ReporterError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.name = 'ReporterError';
    this.hint = hint;
  }
}

/**
 * The reporter of a module: a reporter, or a function that creates one, as its default export or its export
 * `reporter`.
 */
export async function loadReporter(file: string): Promise<ReporterFactory> {
  let module: UserModule;
  try {
    module = await loadModule(file, { root: findProjectRoot(process.cwd()), instance: instanceOfCommand() });
  } catch (error) {
    const { message, hint } = describeLoadProblem(error, import.meta.filename);
    throw new ReporterError(
      `the reporter ${file} cannot be loaded: ${message}`,
      hint ?? 'fix the module, or remove it',
    );
  }
  const exported = findExport(module);
  if (exported === undefined) {
    const names = Object.keys(module).filter((name) => name !== 'module.exports' && name !== '__esModule');
    throw new ReporterError(
      `${file} exports no reporter (it exports ${names.length === 0 ? 'nothing' : names.join(', ')})`,
      EXAMPLE,
    );
  }
  return async (context) => checked(await make(exported, file, context), file);
}

const EXAMPLE =
  'write `export default ({ write }) => ({ onResult: ({ id, verdict }) => write(`${verdict} ${id}\\n`) })`';
const EVENTS = ['onRunStart', 'onFinding', 'onAttemptStart', 'onResult', 'onRunEnd'] as const;

/** A CommonJS module is a default export with everything inside. */
function findExport(module: UserModule): unknown {
  const standard = module['default'] as UserModule | undefined;
  const inner = typeof standard === 'object' && standard !== null ? standard : {};
  return module['reporter'] ?? inner['reporter'] ?? inner['default'] ?? standard;
}

async function make(exported: unknown, file: string, context: ReporterContext): Promise<unknown> {
  if (typeof exported !== 'function') return exported;
  try {
    return await (exported as ReporterFactory)(context);
  } catch (error) {
    throw new ReporterError(
      `the reporter ${file} cannot be created: ${describeThrown(error, import.meta.filename)}`,
      'fix the module, or remove it',
    );
  }
}

function checked(made: unknown, file: string): Reporter {
  const isObject = typeof made === 'object' && made !== null;
  if (!isObject || !EVENTS.some((event) => typeof (made as Reporter)[event] === 'function')) {
    const found = isObject ? 'an object without any of them' : made === null ? 'null' : typeof made;
    throw new ReporterError(
      `the reporter of ${file} is ${found}; it needs at least one of ${EVENTS.join(', ')}`,
      EXAMPLE,
    );
  }
  return made as Reporter;
}
