import type { Assertion } from '../../base/model/assertion.ts';
import { isJsonObject, type Json } from '../../base/model/json.ts';
import type { AssertionKinds } from '../../checks/contract/assertion-kinds.ts';
import type { ClaimKind } from '../../checks/contract/claim-kind.ts';
import { didYouMean, missingSpace, quoteName } from '../../base/schema/did-you-mean.ts';
import type { Reader } from '../../base/schema/reader.ts';
import type { Schema } from '../../base/schema/schema.ts';
import { wrongType } from '../../base/schema/values.ts';

/** `output.includes_2` and `output.includes[2]` are further `output.includes` claims. */
const AGAIN = /(?:_\d+|\[\d+\])$/;

/** The map form of assertions: `assert: { output.includes: ..., memory.a.b: ... }`. */
export function claimMap({ claims }: AssertionKinds): Schema<readonly Assertion[]> {
  const fixed = new Map(claims.filter((kind) => !isPrefix(kind)).map((kind) => [kind.key, kind]));
  const prefixed = claims.filter(isPrefix);
  const find = (key: string): ClaimKind | undefined =>
    fixed.get(key) ??
    fixed.get(key.replace(AGAIN, '')) ??
    prefixed.find((kind) => key.startsWith(prefixOf(kind)));
  return {
    label: 'map of claims',
    get jsonSchema() {
      return claimMapJsonSchema(claims);
    },
    read(value, reader) {
      if (!isJsonObject(value))
        return wrongType(value, reader, { wanted: 'an object (claims) or a list (evaluators)' });
      const assertions: Assertion[] = [];
      for (const key of Object.keys(value)) {
        const kind = find(key);
        if (kind === undefined) reportUnknownKey(key, reader, [...fixed.keys()]);
        else {
          reader.enter(key);
          const claim = readClaim(kind, { key, value: value[key]!, reader });
          reader.leave();
          if (claim !== undefined) assertions.push(claim);
        }
      }
      return assertions;
    },
  };
}

/** The strict form: `expected: { output, tools_used, memory }`. */
export function strictClaim({ expected }: AssertionKinds): Schema<readonly Assertion[]> {
  return {
    label: 'object',
    jsonSchema: expected.schema.jsonSchema,
    read(value, reader) {
      const claim = readClaim(expected, { key: expected.key, value, reader });
      return claim === undefined ? undefined : [claim];
    },
  };
}

interface AuthoredClaim {
  readonly key: string;
  readonly value: Json;
  readonly reader: Reader;
}

function readClaim(kind: ClaimKind, { key, value, reader }: AuthoredClaim): Assertion | undefined {
  const read = kind.schema.read(value, reader);
  if (read === undefined) return undefined;
  return {
    form: 'claim',
    kind: kind.kind,
    name: key,
    weight: 1,
    required: false,
    negate: false,
    parameters: kind.parameters(key, read),
    place: reader.place(),
  };
}

function reportUnknownKey(key: string, reader: Reader, known: readonly string[]): void {
  const hints: Readonly<Record<string, string>> = {
    output: 'choose one: `output.equals`, `output.includes` or `output.matches`, or one with `not_`',
    memory: 'name a path: `memory.<path>`; the whole memory is compared by `expected`',
  };
  reader.error({
    code: 'unknown_assertion',
    message: `unknown assertion ${quoteName(key)}`,
    hint:
      (Object.hasOwn(hints, key)
        ? hints[key]
        : (missingSpace(key, known) ?? didYouMean(key, known) ?? sameMeaning(key, known))) ??
      `the keys are ${known.map(quoteName).join(', ')} and \`memory.<path>\``,
    at: [key],
    onKey: true,
  });
}

/** What other tools call it: `output.contains`, `tools_used.not_contains`. */
function sameMeaning(key: string, known: readonly string[]): string | undefined {
  const [, subject, not = '', verb = ''] = /^(\w+)\.(not_|not-)?([\w-]+)$/.exec(key) ?? [];
  const own = SYNONYMS.find((words) => words.includes(verb))?.[0];
  const candidates = [
    `${subject}.${not === '' ? '' : 'not_'}${own}`,
    ...(own === 'includes' && not !== '' ? [`${subject}.excludes`] : []),
  ];
  const meant = own === undefined ? undefined : candidates.find((each) => known.includes(each));
  return meant === undefined ? undefined : `did you mean ${quoteName(meant)}?`;
}

const SYNONYMS: readonly (readonly string[])[] = [
  ['includes', 'contains', 'contain', 'include', 'has', 'icontains'],
  ['matches', 'match', 'regex', 'regexp', 'pattern'],
  ['equals', 'equal', 'is', 'eq', 'exact'],
  ['excludes', 'exclude', 'without'],
];

function isPrefix(kind: ClaimKind): boolean {
  return kind.key.includes('<');
}

function prefixOf(kind: ClaimKind): string {
  return kind.key.slice(0, kind.key.indexOf('<'));
}

function claimMapJsonSchema(claims: readonly ClaimKind[]): Schema<unknown>['jsonSchema'] {
  const properties: Record<string, unknown> = {};
  const patternProperties: Record<string, unknown> = {};
  const defaultSnippets: unknown[] = [];
  for (const kind of claims) {
    const shape = { description: kind.doc, ...kind.schema.jsonSchema };
    if (isPrefix(kind)) {
      patternProperties[`^${escapePattern(prefixOf(kind))}`] = shape;
      // A keyword of editors: no name can be proposed where only its beginning is known.
      defaultSnippets.push(snippetOf(kind));
    } else {
      properties[kind.key] = shape;
      patternProperties[`^${escapePattern(kind.key)}(_\\d+|\\[\\d+\\])$`] = shape;
    }
  }
  return { type: 'object', properties, patternProperties, additionalProperties: false, defaultSnippets };
}

/** `memory.<path>` with a place to type the path at. */
function snippetOf(kind: ClaimKind): object {
  const key = `${prefixOf(kind)}\${1:${kind.key.slice(prefixOf(kind).length).replaceAll(/[<>]/g, '')}}`;
  return { label: kind.key, description: kind.doc, body: { [key]: '${2:value}' } };
}

function escapePattern(words: string): string {
  return words.replaceAll('.', String.raw`\.`);
}
