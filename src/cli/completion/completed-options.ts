import { REPORTERS } from '../../show/reporters/registry.ts';
import type { Option } from '../option.ts';

/** `-t` and `--grep`. */
export function flagsOf(name: string, { short, alias }: Option): readonly string[] {
  return [
    ...(short === undefined ? [] : [`-${short}`]),
    `--${name}`,
    ...(alias === undefined ? [] : [`--${alias}`]),
  ];
}

/** What a shell can offer as the value of an option. */
export type Completed =
  | { readonly kind: 'choices'; readonly choices: readonly string[] }
  /** A reporter's name, perhaps with `=FILE`, or a file. */
  | { readonly kind: 'reporters'; readonly choices: readonly string[] }
  /** The targets of the project, which `assay completion targets` prints. */
  | { readonly kind: 'targets' }
  | { readonly kind: 'files' }
  | { readonly kind: 'anything' };

export function completedValue(name: string, option: Option): Completed {
  if (name === 'reporter') return { kind: 'reporters', choices: Object.keys(REPORTERS) };
  if (name === 'target') return { kind: 'targets' };
  if (option.takes === 'value' && option.choices !== undefined)
    return { kind: 'choices', choices: option.choices };
  return 'placeholder' in option && /FILE|DIR|AGENT|PATH/.test(option.placeholder)
    ? { kind: 'files' }
    : { kind: 'anything' };
}

/** A value is the next word too, not only what follows `=`. */
export function takesNextWord({ takes }: Option): boolean {
  return takes === 'value' || takes === 'values';
}
