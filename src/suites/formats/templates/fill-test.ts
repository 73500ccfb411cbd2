import type { AssertionKinds } from '../../../checks/contract/assertion-kinds.ts';
import type { EvaluatorKind } from '../../../checks/contract/evaluator-kind.ts';
import {
  isJsonList,
  isJsonObject,
  ownValue,
  setOwn,
  type Json,
  type JsonObject,
} from '../../../base/model/json.ts';
import { formatPath } from '../../../base/model/place.ts';
import { quoteName } from '../../../base/schema/did-you-mean.ts';
import type { Reader } from '../../../base/schema/reader.ts';
import {
  createVariables,
  fillTemplate,
  hasBraces,
  namesIn,
  type Variables,
} from '../../../base/schema/template.ts';

/** Fills in the variables of one test, or of a part of a file. Problems are reported at their places. */
export class TemplateFiller {
  private readonly variables: Variables;
  private readonly reader: Reader;
  private readonly kinds: AssertionKinds;
  private readonly filled = new Map<string, string>();

  constructor(vars: JsonObject, reader: Reader, kinds: AssertionKinds) {
    this.variables = createVariables(vars);
    this.reader = reader;
    reader.filled = this.filled;
    this.kinds = kinds;
  }

  /** A test as an author writes it, without its `vars` and `each`. */
  test(test: JsonObject): JsonObject {
    const { vars: _vars, each: _each, ...fields } = test;
    return this.fields(fields, (key, value) => this.testField(key, value));
  }

  /** The fields that a file has besides its cases. */
  file(file: JsonObject, ofTests: readonly string[]): JsonObject {
    return this.fields(file, (key, value) =>
      key === 'vars' || ofTests.includes(key) ? value : this.testField(key, value),
    );
  }

  /** A list of evaluators, at the reader. */
  evaluators(list: Json): Json {
    if (!isJsonList(list)) return this.data(list);
    return this.items(list, (item) => (isJsonObject(item) ? this.evaluator(item) : this.data(item)));
  }

  /** Any value: every text in it is a template, no key is. */
  data(value: Json): Json {
    if (typeof value === 'string') return this.text(value);
    if (isJsonList(value)) return this.items(value, (item) => this.data(item));
    return isJsonObject(value) ? this.fields(value, (_key, inner) => this.data(inner)) : value;
  }

  private text(text: string): Json {
    const filled = fillTemplate(text, this.variables, (problem) => this.reader.error(problem));
    if (typeof filled !== 'string') this.filled.set(formatPath(this.reader.path), namesIn(text)[0]!);
    return filled;
  }

  private testField(key: string, value: Json): Json {
    switch (key) {
      case 'evaluators':
      case 'assertions':
        return this.evaluators(value);
      case 'assert':
        return isJsonList(value) ? this.evaluators(value) : this.data(value);
      case 'execution':
      case 'steps':
      case 'turns':
        return this.nested(value);
      case 'input':
      case 'input_messages':
      case 'expected_output':
      case 'expected_messages':
        return this.messages(value);
      case 'evaluator':
      case 'input_files':
      case '$schema':
      case 'schema_version':
        return value;
      default:
        return this.data(value);
    }
  }

  /** `execution` and the steps have fields of a test. */
  private nested(value: Json): Json {
    if (isJsonList(value)) return this.items(value, (item) => this.nested(item));
    if (!isJsonObject(value)) return this.data(value);
    return this.fields(value, (key, inner) => this.testField(key, inner));
  }

  /** Messages, or a text that stands for one. */
  messages(value: Json): Json {
    if (isJsonList(value)) return this.items(value, (item) => this.messages(item));
    if (!isJsonObject(value)) return this.data(value);
    return this.fields(value, (key, inner) =>
      key === 'content' && isJsonList(inner)
        ? this.items(inner, (part) => this.part(part))
        : this.data(inner),
    );
  }

  /** `{type: file, value: path}` names a file. */
  private part(part: Json): Json {
    if (!isJsonObject(part)) return this.data(part);
    const isFile = ownValue(part, 'type') === 'file';
    return this.fields(part, (key, value) =>
      key === 'type' || (isFile && key === 'value') ? this.verbatim(value) : this.data(value),
    );
  }

  private evaluator(evaluator: JsonObject): Json {
    const type = ownValue(evaluator, 'type');
    const kind = typeof type === 'string' ? this.kinds.evaluatorOf(type) : undefined;
    return this.fields(evaluator, (key, value) => {
      if ((kind === undefined || kind.nests !== undefined) && LISTS.has(key)) return this.evaluators(value);
      const verbatim = verbatimPart(key, kind);
      if (verbatim === 'text' && this.isText(value)) return this.verbatim(value);
      return verbatim === 'all' ? this.notFilled(key, value) : this.data(value);
    });
  }

  /** A variable may stand for what is written in the place of a text. */
  private isText(value: Json): boolean {
    if (typeof value !== 'string') return !isJsonObject(value);
    return typeof fillTemplate(value, this.variables, () => undefined) === 'string';
  }

  /** Settings for a program are data, wherever they are. A judge's prompt is filled in when the judge is asked. */
  private notFilled(key: string, value: Json): Json {
    if (isJsonObject(value))
      return this.fields(value, (inner, below) => (inner === 'config' ? this.data(below) : below));
    return key === 'prompt' ? value : this.verbatim(value);
  }

  /** Something that is not a template; an author who writes a variable there must know. */
  private verbatim(value: Json): Json {
    for (const text of isJsonList(value) ? value : [value]) {
      if (typeof text !== 'string' || !hasBraces(text)) continue;
      const name = namesIn(text).find((each) => this.variables.find(each) !== undefined);
      if (name !== undefined)
        this.reader.warning({
          code: 'not_a_template',
          message: `${quoteName(`{{${name}}}`)} stays as it is: types, programs and paths of files are not templates`,
          hint: 'write it out',
        });
    }
    return value;
  }

  /** A key is not a template: with the braces in it, it would check or give something else than its author means. */
  private key(key: string): string {
    const [name] = namesIn(key);
    if (name !== undefined)
      this.reader.error({
        code: 'not_a_template',
        message: `${quoteName(`{{${name}}}`)} is in a key, and keys are not templates`,
        hint: 'write the key out; where `vars` or `each` is given, write `\\{{` for braces that are text',
        onKey: true,
      });
    return key.replaceAll(
      ESCAPED_BRACES,
      (_, backslashes: string) => backslashes.slice(0, backslashes.length / 2) + '{{',
    );
  }

  private fields(object: JsonObject, fill: (key: string, value: Json) => Json): JsonObject {
    const filled: Record<string, Json> = {};
    for (const key of Object.keys(object)) {
      this.reader.enter(key);
      setOwn(filled, hasBraces(key) ? this.key(key) : key, fill(key, object[key]!));
      this.reader.leave();
    }
    return filled;
  }

  private items(list: readonly Json[], fill: (item: Json) => Json): readonly Json[] {
    return list.map((item, index) => {
      this.reader.enter(index);
      const filled = fill(item);
      this.reader.leave();
      return filled;
    });
  }
}

const ESCAPED_BRACES = /(\\+)\{\{/g;

/** The fields of an evaluator that contain others. */
const LISTS: ReadonlySet<string> = new Set(['evaluators', 'assertions', 'assert']);

/** Without a known kind, nothing that usually names a file or a program is filled in. */
function verbatimPart(key: string, kind: EvaluatorKind | undefined): 'all' | 'text' | undefined {
  if (kind !== undefined) return kind.schema.fields[key]?.verbatim;
  return ['type', 'script', 'command', 'cwd', 'prompt'].includes(key) ? 'all' : undefined;
}
