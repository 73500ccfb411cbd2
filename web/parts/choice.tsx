import { Menu } from './menu.tsx';

interface NamedOption {
  readonly value: string;
  readonly name: string;
}

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
  readonly options: readonly (string | NamedOption)[];
  /** The text before each option. */
  readonly prefix?: string;
  readonly onChange: (value: string) => void;
}) {
  const named = options.map((option) =>
    typeof option === 'string'
      ? { value: option, name: `${prefix}${option}` }
      : { value: option.value, name: `${prefix}${option.name}` },
  );
  const isListed = value === '' || named.some((option) => option.value === value);
  if (isListed && options.length < 2 && (value === '' || all === undefined)) return null;
  const listed = [
    ...(all === undefined ? [] : [{ value: '', name: all }]),
    ...(isListed ? [] : [{ value, name: `${prefix}${value}` }]),
    ...named,
  ];
  const shown = listed.find((option) => option.value === value)?.name ?? label;
  return <Menu label={label} shown={shown} options={listed} chosen={[value]} onChoose={onChange} />;
}
