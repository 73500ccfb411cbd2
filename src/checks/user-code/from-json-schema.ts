/** The type of the values that a JSON Schema accepts, as far as its common keywords tell. */
export type FromJsonSchema<S> = S extends { readonly const: infer Value }
  ? Value
  : S extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : S extends { readonly type: infer Type }
      ? OfType<Type extends readonly (infer Each)[] ? Each : Type, S>
      : S extends { readonly properties: object }
        ? ObjectOf<S>
        : unknown;

type OfType<Type, S> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? readonly ItemOf<S>[]
          : Type extends 'object'
            ? ObjectOf<S>
            : unknown;

type ItemOf<S> = S extends { readonly items: infer Items } ? FromJsonSchema<Items> : unknown;

type ObjectOf<S> = S extends { readonly properties: infer P }
  ? { readonly [K in keyof P as IsGiven<S, P, K> extends true ? K : never]: FromJsonSchema<P[K]> } & {
      readonly [K in keyof P as IsGiven<S, P, K> extends true ? never : K]?: FromJsonSchema<P[K]>;
    }
  : Readonly<Record<string, unknown>>;

/** A field is there if it is required, or has a default. */
type IsGiven<S, P, K extends keyof P> = P[K] extends { readonly default: unknown }
  ? true
  : S extends { readonly required: readonly (infer R)[] }
    ? K extends R
      ? true
      : false
    : false;
