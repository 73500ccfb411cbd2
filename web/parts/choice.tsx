import { withoutHidden } from '../text/hidden-characters.ts';
import { Menu, type MenuOption } from './menu.tsx';

/** A menu with an entry for "all". Not shown if there is nothing to choose. */
export function Choice({
  label,
  all,
  value,
  options,
  prefix = '',
  onChange,
}: {
  readonly label: string;
  readonly all?: string;
  readonly value: string;
  readonly options: readonly (string | MenuOption)[];
  /** The text before each option. */
  readonly prefix?: string;
  readonly onChange: (value: string) => void;
}) {
  const named = options.map((option) =>
    typeof option === 'string'
      ? { value: option, name: `${prefix}${withoutHidden(option)}` }
      : { value: option.value, name: `${prefix}${withoutHidden(option.name)}` },
  );
  const isListed = value === '' || named.some((option) => option.value === value);
  if (isListed && options.length < 2 && (value === '' || all === undefined)) return null;
  const listed = [
    ...(all === undefined ? [] : [{ value: '', name: all }]),
    ...(isListed ? [] : [{ value, name: `${prefix}${withoutHidden(value)}` }]),
    ...named,
  ];
  return <Menu label={label} value={value} options={listed} onChange={onChange} />;
}
