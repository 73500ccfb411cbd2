import { withoutHidden } from '../text/hidden-characters.ts';

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
  readonly options: readonly string[];
  /** The text before each option. */
  readonly prefix?: string;
  readonly onChange: (value: string) => void;
}) {
  if (value === '' && options.length < 2) return null;
  const listed = value === '' || options.includes(value) ? options : [value, ...options];
  return (
    <select aria-label={label} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      {all !== undefined && <option value="">{all}</option>}
      {listed.map((option) => (
        <option key={option} value={option}>
          {`${prefix}${withoutHidden(option)}`}
        </option>
      ))}
    </select>
  );
}
