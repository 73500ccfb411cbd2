import { describeThrown, summariseThrown } from '../../agents/describe-thrown.ts';
import { withoutFolder } from '../../agents/without-folder.ts';
import { loadModule, type UserModule } from '../../agents/load-module.ts';
import type { LoadedEvaluator } from '../contract/custom-evaluator.ts';
import type { JsonObject } from '../../base/model/json.ts';
import { quoteName } from '../../base/schema/did-you-mean.ts';
import { checkScriptKeys } from './check-keys.ts';
import type { EvaluatorDefinition } from './define-evaluator.ts';
import { EvaluatorFileError } from './evaluator-file-error.ts';
import { createFieldSchema, type FieldSchema } from './field-schema.ts';
import { readExample } from './read-example.ts';
import { readTimeout, withinTime } from './within-time.ts';

/** How many files this process has loaded. Each is another instance: a file may have changed since the last run. */
let loaded = 0;

/** The evaluators that a JavaScript or TypeScript file exports. Throws an EvaluatorFileError. */
export async function loadScriptEvaluators(file: string, root: string): Promise<readonly LoadedEvaluator[]> {
  let module: UserModule;
  try {
    module = await loadModule(file, { root, instance: loaded++ });
  } catch (error) {
    const { what, place, hint } = summariseThrown(error, import.meta.filename);
    const where = place === undefined ? '' : ` at ${withoutFolder(place.file)}:${place.line}:${place.column}`;
    throw new EvaluatorFileError(
      `it cannot be loaded: ${what}${where}${hint === undefined ? '' : `: ${hint}`}`,
    );
  }
  const found = [...definitionsIn(module)];
  if (found.length === 0)
    throw new EvaluatorFileError(
      `it exports no evaluator (${describeExports(module)}): write \`export const name = defineEvaluator({ evaluate })\``,
    );
  return Promise.all(found.map(([exportName, definition]) => toLoaded(definition, exportName)));
}

type Definition = EvaluatorDefinition<never>;

/** Exported one by one, in a list, or as members of a CommonJS module. The same one may be exported twice. */
function* definitionsIn(module: UserModule): Generator<readonly [string, Definition]> {
  const seen = new Set<unknown>();
  const wrapped = module['default'];
  const members = isRecord(wrapped) && !('evaluate' in wrapped) ? Object.entries(wrapped) : [];
  for (const [name, value] of [...Object.entries(module), ...members]) {
    for (const each of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
      if (!isRecord(each) || !('evaluate' in each) || seen.has(each)) continue;
      seen.add(each);
      yield [name, each as unknown as Definition];
    }
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function describeExports(module: UserModule): string {
  const names = Object.keys(module);
  return names.length === 0 ? 'it exports nothing' : `it exports ${names.slice(0, 10).join(', ')}`;
}

async function toLoaded(definition: Definition, exportName: string): Promise<LoadedEvaluator> {
  const name: unknown = definition.name ?? (exportName === 'default' ? undefined : exportName);
  if (typeof name !== 'string' || !isUsableName(name))
    throw new EvaluatorFileError(
      name === undefined
        ? 'the evaluator that it exports as default, or in a list, needs a `name`'
        : `${JSON.stringify(name)} cannot be the name of an evaluator: use letters, digits, - and _`,
    );
  if (typeof definition.evaluate !== 'function')
    throw new EvaluatorFileError(`\`evaluate\` of ${quoteName(name)} is not a function`);
  checkScriptKeys(definition, name);
  const schema = await createFieldSchema(definition.schema, name);
  const timeoutMs = readTimeout(definition.timeout_ms, name);
  const example = readExample(definition.example, name);
  return {
    name,
    doc: typeof definition.doc === 'string' ? definition.doc : undefined,
    ...checkedBy(schema, definition.schema),
    example: (fields) => example(() => configOf(schema, fields)),
    evaluate(fields, evidence, signal) {
      const own = new OwnSignal(signal);
      let returned: unknown;
      try {
        returned = definition.evaluate(configOf(schema, fields) as never, evidence as never, own);
      } catch (error) {
        throw threw(name, error);
      }
      if (typeof (returned as PromiseLike<unknown> | undefined)?.then !== 'function') return returned;
      const settled = Promise.resolve(returned).catch((error: unknown) => {
        throw threw(name, error);
      });
      return withinTime(settled, { name, timeoutMs, signal, onLate: () => own.abort() });
    },
  };
}

function threw(name: string, error: unknown): Error {
  return new Error(`the evaluator ${quoteName(name)} threw ${describeThrown(error, import.meta.filename)}`);
}

/** What suites can write after `type:` without quotes and without confusion with a file. */
function isUsableName(name: string): boolean {
  return /^[\p{L}_$][\p{L}\p{N}_$.-]*$/u.test(name);
}

/** What the loader knows of the fields of an evaluator. */
export function checkedBy(
  schema: FieldSchema,
  authored: unknown,
): Pick<LoadedEvaluator, 'jsonSchema' | 'hasSchema' | 'check'> {
  return {
    jsonSchema: schema.jsonSchema,
    hasSchema: authored !== undefined && authored !== null,
    check(fields) {
      const read = schema.read(fields);
      return 'problems' in read ? read.problems : [];
    },
  };
}

/** By fields: a test runs often, and its fields stay the same. */
const configs = new WeakMap<FieldSchema, WeakMap<JsonObject, unknown>>();

export function configOf(schema: FieldSchema, fields: JsonObject): unknown {
  let known = configs.get(schema);
  if (known === undefined) configs.set(schema, (known = new WeakMap()));
  if (!known.has(fields)) {
    const read = schema.read(fields);
    if ('problems' in read) throw new Error(read.problems[0]!.message);
    known.set(fields, read.config);
  }
  return known.get(fields);
}

/** Most evaluators never look at their signal, and making one is not free. */
class OwnSignal {
  private readonly outer: AbortSignal;
  private readonly controller: { current?: AbortController } = {};

  constructor(outer: AbortSignal) {
    this.outer = outer;
  }

  get signal(): AbortSignal {
    const own = (this.controller.current ??= new AbortController());
    return AbortSignal.any([this.outer, own.signal]);
  }

  abort(): void {
    this.controller.current?.abort();
  }
}
