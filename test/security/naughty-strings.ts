import strings from '../fixtures/naughty-strings.json' with { type: 'json' };

interface Naughty {
  readonly name: string;
  readonly text: string;
  readonly repeat?: number;
}

/** Text that does harm if a program shows or reads it without escaping. */
export const NAUGHTY: readonly string[] = (strings as readonly Naughty[]).map(({ text, repeat = 1 }) =>
  text.repeat(repeat),
);

/** Those that can be a part of a path here. */
export const NAUGHTY_NAMES: readonly string[] = NAUGHTY.filter(
  (text) => !/[/\0]|\p{Surrogate}/u.test(text) && Buffer.byteLength(text) <= 200 && !/^\.{0,2}$/.test(text),
);
