import { shellText } from '../convert-hint.ts';

/** The column with the input, if the user does not name one: `input`, or the only one that is not a setting. */
export function inputColumn(header: readonly string[]): string | undefined {
  if (header.includes('input')) return 'input';
  const others = header.filter((name) => !NOT_INPUT.test(name));
  return others.length === 1 ? others[0] : undefined;
}

/** `target` beside `input`, as Inspect writes it. */
export function expectedColumn(header: readonly string[]): string | undefined {
  const isOfInspect =
    header.includes('input') && header.includes('target') && !header.includes('expected_output');
  return isOfInspect ? 'target' : undefined;
}

/** For the command that converts the table. */
export function inputOption(header: readonly string[]): string {
  const first = header.find((name) => !NOT_INPUT.test(name));
  return first === undefined || inputColumn(header) !== undefined ? '' : ` --input ${shellText(first)}`;
}

/** Columns of promptfoo start with `__`. */
const NOT_INPUT = /^(?:__.*|id|description|expected_output|expected_outcome)$/;
