import { fieldOf, otherFields, type ForeignValue } from './foreign-value.ts';

/** A field of a tool that writes its names in snake_case or in camelCase. Keys of the user are never read like this. */
export function fieldInEitherCase(value: ForeignValue, name: string): ForeignValue | undefined {
  return fieldOf(value, name) ?? fieldOf(value, camelCase(name));
}

/** The fields that are not among these, in either spelling. Empty values say nothing. */
export function otherFieldsInEitherCase(
  value: ForeignValue,
  known: readonly string[],
): readonly ForeignValue[] {
  const names = new Set(known.flatMap((name) => [name, camelCase(name)]));
  return otherFields(value, names).filter(
    ({ value: each }) => typeof each !== 'object' || Object.keys(each as object).length > 0,
  );
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
