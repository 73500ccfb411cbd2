import { quoteName } from '../../base/schema/did-you-mean.ts';
import type { EvaluatorKind, EvaluatorSchema } from './evaluator-kind.ts';
import type { EvaluatorSpelling } from './evaluator-spelling.ts';
import { UNSUPPORTED_EVALUATORS } from './unsupported-evaluators.ts';

/** How to read an evaluator with a certain `type`. */
export interface EvaluatorReading {
  readonly kind: EvaluatorKind;
  readonly schema: EvaluatorSchema;
  /** The `type` that the schema knows. */
  readonly type: string;
  /** The `type` starts with `not-`. */
  readonly isNegated: boolean;
  /** `not-` and `negate` are read by the schema: the result is not turned round once more. */
  readonly readsNegation: boolean;
}

/** Evaluators of the user's own. */
export interface CustomLookup {
  /** A kind for any other type, if there is one: an evaluator in a file, or one whose code was not read. */
  other(type: string): EvaluatorKind | undefined;
  /** What is wrong with a type that looks like a file. */
  explain(type: string): string | undefined;
}

/** Every value of `type` that can be read, and what it means. */
export class EvaluatorNames {
  readonly kinds: ReadonlyMap<string, EvaluatorKind>;
  private readonly spellings = new Map<string, EvaluatorSpelling>();
  private readonly custom: CustomLookup;
  /** Made once: a dataset may have a million evaluators. */
  private readonly own: ReadonlyMap<string, EvaluatorReading>;

  constructor(
    kinds: readonly EvaluatorKind[],
    spellings: readonly EvaluatorSpelling[],
    custom: CustomLookup,
  ) {
    this.custom = custom;
    this.kinds = new Map(kinds.map((kind) => [kind.kind, kind]));
    this.own = new Map(kinds.map((kind) => [kind.kind, ofKind(kind)]));
    for (const spelling of spellings) for (const name of spelling.names) this.spellings.set(name, spelling);
  }

  /** The names to suggest for a wrong one. */
  get suggested(): readonly string[] {
    return [...this.kinds.keys(), ...this.spellings.keys()];
  }

  /** A hint for a name that is unknown here. */
  explain(type: string): string | undefined {
    return this.custom.explain(type) ?? this.elsewhere(type);
  }

  private elsewhere(type: string): string | undefined {
    const name = type.replaceAll('-', '_');
    const meant = [...this.kinds.values()].find(({ otherNames }) => otherNames.includes(name));
    return meant === undefined ? undefined : `it is called ${quoteName(meant.kind)} here`;
  }

  find(type: string): EvaluatorReading | undefined {
    return this.own.get(type) ?? this.findOther(type);
  }

  /** The kind of a `type` that no other tool writes: a listed one, or one of the user's own. */
  kindOf(type: string): EvaluatorKind | undefined {
    return (
      this.kinds.get(type) ?? (this.ofOtherTool(type) === undefined ? this.custom.other(type) : undefined)
    );
  }

  private findOther(type: string): EvaluatorReading | undefined {
    const foreign = this.ofOtherTool(type);
    if (foreign !== undefined) return foreign;
    const other = this.custom.other(type);
    return other === undefined ? undefined : { ...ofKind(other), type };
  }

  private ofOtherTool(type: string): EvaluatorReading | undefined {
    return this.findForeign(type, { isNegated: false }) ?? this.findNegated(type);
  }

  private findNegated(type: string): EvaluatorReading | undefined {
    if (!type.startsWith('not-') || Object.hasOwn(UNSUPPORTED_EVALUATORS, type)) return undefined;
    return this.findForeign(type.slice('not-'.length), { isNegated: true });
  }

  private findForeign(
    type: string,
    { isNegated }: { readonly isNegated: boolean },
  ): EvaluatorReading | undefined {
    const spelling = this.spellings.get(type) ?? this.spellings.get(type.replaceAll('_', '-'));
    if (spelling !== undefined) {
      const { kind, schema, names, readsNegation } = spelling;
      return { kind, schema, type: names[0], isNegated, readsNegation };
    }
    const kind = this.kinds.get(type.replaceAll('-', '_'));
    return kind === undefined ? undefined : { ...ofKind(kind), isNegated };
  }
}

function ofKind(kind: EvaluatorKind): EvaluatorReading {
  return { kind, schema: kind.schema, type: kind.kind, isNegated: false, readsNegation: false };
}
