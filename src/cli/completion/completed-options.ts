import { REPORTERS } from '../../reporters/registry.ts';
import type { Option } from '../option.ts';

/** `-t` and `--grep`. */
export function flagsOf(name: string, { short }: Option): readonly string[] {
  return short === undefined ? [`--${name}`] : [`-${short}`, `--${name}`];
}

/** The values of an option, if there are only a few. */
export function choicesOf(name: string, option: Option): readonly string[] | undefined {
  if (name === 'reporter') return Object.keys(REPORTERS);
  return option.takes === 'value' ? option.choices : undefined;
}
