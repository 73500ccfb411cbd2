import { Menu } from './menu.tsx';

/** A menu of which one entry is chosen. Not shown if there is nothing to choose. */
export function Choice({
  label,
  value,
  options,
  prefix = '',
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[];
  /** The text before each option. */
  readonly prefix?: string;
  readonly onChange: (value: string) => void;
}) {
  const isListed = value === '' || options.includes(value);
  if (isListed && options.length < 2) return null;
  const listed = [...(isListed ? [] : [value]), ...options];
  return (
    <Menu
      label={label}
      shown={value === '' ? label : `${prefix}${value}`}
      options={listed.map((option) => ({ value: option, name: `${prefix}${option}` }))}
      chosen={[value]}
      onChoose={onChange}
    />
  );
}
