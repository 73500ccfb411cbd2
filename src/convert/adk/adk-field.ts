import { fieldOf, otherFields, type ForeignValue } from '../foreign-value.ts';

/** A field of ADK, which may be written in camelCase. Keys inside of `args` and `state` are the user's: not read here. */
export function adkField(value: ForeignValue, name: string): ForeignValue | undefined {
  return fieldOf(value, name) ?? fieldOf(value, camelCase(name));
}

/** The fields that are not among these, in either spelling. Empty values say nothing. */
export function otherAdkFields(value: ForeignValue, known: readonly string[]): readonly ForeignValue[] {
  const names = new Set(known.flatMap((name) => [name, camelCase(name)]));
  return otherFields(value, names).filter(
    ({ value: each }) => typeof each !== 'object' || Object.keys(each as object).length > 0,
  );
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
