import { fieldOf, otherFields, type ForeignValue } from './foreign-value.ts';

/** A field of a tool that writes its names in snake_case or in camelCase. Keys of the user are never read like this. */
export function fieldInEitherCase(value: ForeignValue, name: string): ForeignValue | undefined {
  return fieldOf(value, name) ?? fieldOf(value, camelCase(name));
}

/** A field that is not read. */
export interface OtherField extends ForeignValue {
  /** Undefined: its name is not known. */
  readonly why?: string;
}

/**
 * The fields that are not among these, in either spelling, and the second one of a field that is given in both. Empty values
 * say nothing.
 */
export function otherFieldsInEitherCase(
  value: ForeignValue,
  known: readonly string[],
): readonly OtherField[] {
  const names = new Set(known.flatMap((name) => [name, camelCase(name)]));
  const others = otherFields(value, names).filter(
    ({ value: each }) => typeof each !== 'object' || Object.keys(each as object).length > 0,
  );
  const second = known.flatMap((name): readonly OtherField[] => {
    const other = camelCase(name) === name ? undefined : fieldOf(value, camelCase(name));
    if (other === undefined || fieldOf(value, name) === undefined) return [];
    return [{ ...other, why: `\`${name}\` is given too, and only that is read` }];
  });
  return [...second, ...others];
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
