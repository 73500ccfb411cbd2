import { hintForDuplicate } from '../claim-keys.ts';
import { setOwn, type Json } from '../../../base/model/json.ts';
import type { PathSegment } from '../../../base/model/place.ts';
import { printJson } from '../../../base/model/print-json.ts';
import { quoteText } from '../../../base/schema/values.ts';
import { LIMITS } from '../limits.ts';
import type { Located, LocatedEntry } from '../located.ts';
import {
  readPlainScalar,
  readTaggedScalar,
  ScalarError,
  type Dialect,
  type ScalarReading,
} from './scalars.ts';
import type { YamlProblem } from './yaml-problem.ts';
import type { YamlMapping, YamlNode, YamlScalar } from './syntax.ts';
import { grouped } from '../../../base/model/grouped.ts';

/** Interprets the scalars of a document. A problem never stops it: all of them are reported. */
export function resolveYaml(
  root: YamlNode,
  dialect: Dialect,
  warnings: readonly YamlProblem[] = [],
): { readonly root: Located; readonly problems: readonly YamlProblem[] } {
  const resolver = new Resolver(dialect);
  return { root: resolver.node(root), problems: [...warnings, ...resolver.problems] };
}

class Resolver {
  readonly problems: YamlProblem[] = [];
  private readonly dialect: Dialect;
  private readonly targets = new Map<YamlNode, Located>();
  /** The keys of a mapping when merges are written out one by one: what a chain of merges multiplies. */
  private readonly flatSizes = new Map<YamlNode, number>();
  private readonly path: PathSegment[] = [];
  private mergedKeys = 0;

  constructor(dialect: Dialect) {
    this.dialect = dialect;
  }

  /** Aliases share one value, so a file of many aliases takes no more memory than its text. */
  node(node: YamlNode): Located {
    if (!node.isAnchored) return this.resolve(node);
    let located = this.targets.get(node);
    if (located === undefined) this.targets.set(node, (located = this.resolve(node)));
    return located;
  }

  private resolve(node: YamlNode): Located {
    switch (node.kind) {
      case 'scalar':
        return this.value(this.inDialect(node));
      case 'alias':
        return { ...this.node(node.target), start: node.start };
      case 'sequence': {
        this.checkTag(node, 'seq');
        const items = node.items.map((item, index) => this.below(index, item));
        return { value: items.map((item) => item.value), start: node.start, items };
      }
      case 'mapping':
        return this.mapping(node);
    }
  }

  private below(segment: PathSegment, node: YamlNode): Located {
    this.path.push(segment);
    const located = this.node(node);
    this.path.pop();
    return located;
  }

  private mapping(node: YamlMapping): Located {
    this.checkTag(node, 'map');
    const own = new Map<string, LocatedEntry>();
    const merged = new Map<string, LocatedEntry>();
    const constants = new Set<Json>();
    let flatSize = 0;
    for (const { key, value } of node.entries) {
      const reading = this.key(key);
      if (reading === undefined) continue;
      if (reading.as === 'merge') flatSize += this.merge(value, merged);
      else if (own.has(reading.text) || (reading.constant !== undefined && constants.has(reading.constant))) {
        this.error(
          'duplicate_key',
          `the key ${quoteText(reading.text)} occurs twice`,
          key.start,
          hintForDuplicate(reading.text),
        );
      } else {
        if (reading.constant !== undefined) constants.add(reading.constant);
        own.set(reading.text, { keyStart: key.start, node: this.below(reading.text, value) });
      }
    }
    if (flatSize > 0) this.flatSizes.set(node, own.size + flatSize);
    for (const [key, entry] of own) merged.set(key, entry);
    const object: Record<string, Json> = {};
    for (const [key, entry] of merged) setOwn(object, key, entry.node.value);
    return { value: object, start: node.start, entries: merged };
  }

  private key(
    node: YamlNode,
  ): { as: ScalarReading['as']; text: string; constant: Json | undefined } | undefined {
    const target = node.kind === 'alias' ? node.target : node;
    if (target.kind !== 'scalar') {
      this.error(
        'yaml_key',
        'a list or an object cannot be a key',
        node.start,
        'put the value in quotes if it is text, as in "{{name}}"',
      );
      return undefined;
    }
    const scalar = this.inDialect(target);
    const { as, value } = this.scalar(scalar, { warn: false });
    if (as !== 'text' && as !== 'merge' && !this.isFaultField(scalar)) {
      this.warning(
        'non_string_key',
        `the key ${scalar.text === '' ? '(empty)' : scalar.text} is not a string; it is read as ${JSON.stringify(scalar.text)}`,
        node.start,
        `put it in quotes: "${scalar.text}"`,
      );
    }
    // Numbers keep different spellings apart (010 and 8 are two keys); null and the booleans are one key each (yes
    // and true).
    const constant = as === 'null' || as === 'boolean' ? value : undefined;
    return { as, text: scalar.text, constant };
  }

  /** `on` is a field of faults: nobody writes `true` there. */
  private isFaultField({ text }: YamlScalar): boolean {
    return text === 'on' && this.path.at(-2) === 'faults';
  }

  /** `<<: *base` or `<<: [*a, *b]`: earlier ones of a list win over later ones. */
  private merge(node: YamlNode, into: Map<string, LocatedEntry>): number {
    const source = node.kind === 'alias' ? node.target : node;
    const nodes = source.kind === 'sequence' ? source.items.toReversed() : [node];
    let flatSize = 0;
    for (const item of nodes) {
      const mapping = item.kind === 'alias' ? item.target : item;
      if (mapping.kind !== 'mapping') {
        this.error(
          'yaml_merge',
          '<< takes an object or a list of objects',
          item.start,
          'put "<<" in quotes if it is an ordinary key',
        );
        return flatSize;
      }
      if (this.mergedKeys > LIMITS.mergedKeys) return flatSize;
      const entries = this.node(mapping).entries ?? new Map();
      const size = this.flatSizes.get(mapping) ?? entries.size;
      flatSize += size;
      this.mergedKeys += size;
      if (this.mergedKeys > LIMITS.mergedKeys) {
        this.error('yaml_merge', `more than ${grouped(LIMITS.mergedKeys)} keys merged by <<`, node.start);
        return flatSize;
      }
      for (const [key, entry] of entries) into.set(key, entry);
    }
    return flatSize;
  }

  private value(node: YamlScalar): Located {
    return { value: this.finite(this.scalar(node), node).value, start: node.start };
  }

  /** The scalar with the text that this dialect reads. */
  private inDialect(node: YamlScalar): YamlScalar {
    if (this.dialect === 'core' || node.pyyamlText === undefined) return node;
    this.warning(
      'yaml_dialect',
      `this is read as ${quoteText(node.pyyamlText)} (YAML 1.1, as PyYAML does); YAML 1.2 reads it as ${quoteText(node.text)}`,
      node.start,
      node.text === `${node.pyyamlText}\n`
        ? 'end the file with a line feed, or write |- or >- if the text has none'
        : 'write U+0085, U+2028 and U+2029 as escapes in double quotes, such as "\\u2028"',
    );
    return { ...node, text: node.pyyamlText };
  }

  private scalar(node: YamlScalar, { warn = true } = {}): ScalarReading {
    try {
      if (node.tag !== undefined && node.tag !== '!') return this.tagged(node, node.tag);
      if (!node.isPlain || (node.tag === '!' && this.dialect === 'core'))
        return { as: 'text', value: node.text };
      const reading = readPlainScalar(node.text, this.dialect);
      if (warn) this.compareDialects(node, reading);
      return reading;
    } catch (error) {
      if (!(error instanceof ScalarError)) throw error;
      this.error('yaml_scalar', error.message, node.start, 'put it in quotes if it is text');
      return { as: 'text', value: node.text };
    }
  }

  private tagged(node: YamlScalar, tag: string): ScalarReading {
    if (!SCALAR_TAGS.has(tag)) {
      this.unknownTag(node, tag);
      return { as: 'text', value: node.text };
    }
    return readTaggedScalar(node.text, tag, this.dialect);
  }

  /** Step tests are read as PyYAML reads them; other YAML readers would not agree on these. */
  private compareDialects(node: YamlScalar, reading: ScalarReading): void {
    if (reading.as === 'merge') {
      this.error('yaml_merge', '<< is a merge key and cannot be a value', node.start, 'put it in quotes');
    } else if (this.dialect === 'core') return;
    else if (reading.as === 'date') {
      this.warning(
        'yaml_date',
        `${node.text} would be a date in YAML 1.1; it is kept as text`,
        node.start,
        `put it in quotes: "${node.text}"`,
      );
    } else {
      const core = readPlainScalar(node.text, 'core');
      if (core.as === reading.as && Object.is(core.value, reading.value)) return;
      this.warning(
        'yaml_dialect',
        `${node.text} is read as ${show(reading)} (YAML 1.1, as PyYAML does); YAML 1.2 reads it as ${show(core)}`,
        node.start,
        `write ${show(reading)}, or "${node.text}" in quotes if it is text`,
      );
    }
  }

  private finite(reading: ScalarReading, node: YamlScalar): ScalarReading {
    if (typeof reading.value === 'number' && !Number.isFinite(reading.value)) {
      this.warning(
        'not_finite',
        `${node.text} is not a number that JSON can represent`,
        node.start,
        'use null, a string or a large number',
      );
    }
    return reading;
  }

  private checkTag(node: YamlNode, allowed: string): void {
    if (node.tag !== undefined && node.tag !== '!' && node.tag !== allowed) this.unknownTag(node, node.tag);
  }

  private unknownTag(node: YamlNode, tag: string): void {
    const written = tag.startsWith('!')
      ? tag
      : tag.includes(':') && !tag.startsWith('python/')
        ? `!<${tag}>`
        : `!!${tag}`;
    this.error(
      'yaml_tag',
      `the tag ${written} is not supported`,
      node.start,
      'remove it; put the value in quotes if it is text',
    );
  }

  private error(code: string, message: string, offset: number, hint?: string): void {
    this.problems.push({
      severity: 'error',
      code,
      message,
      offset,
      path: [...this.path],
      ...(hint === undefined ? {} : { hint }),
    });
  }

  private warning(code: string, message: string, offset: number, hint: string): void {
    this.problems.push({ severity: 'warning', code, message, offset, path: [...this.path], hint });
  }
}

const SCALAR_TAGS = new Set(['str', 'null', 'bool', 'int', 'float', 'timestamp']);

function show({ as, value }: ScalarReading): string {
  return as === 'text' ? `the text ${JSON.stringify(value)}` : printJson(value);
}
