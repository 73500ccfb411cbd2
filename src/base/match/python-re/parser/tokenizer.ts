import { errorAt, type PatternError } from '../pattern-error.ts';

/** Walks a pattern by tokens: one character, or a backslash with the character after it. */
export class Tokenizer {
  /** The token to come, or undefined at the end. */
  next: string | undefined;
  readonly #characters: readonly string[];
  #index = 0;

  constructor(pattern: string) {
    this.#characters = Array.from(pattern);
    this.#advance();
  }

  /** Where the token to come begins, in code points. */
  get position(): number {
    return this.#index - tokenLength(this.next ?? '');
  }

  seek(position: number): void {
    this.#index = position;
    this.#advance();
  }

  take(): string | undefined {
    const token = this.next;
    this.#advance();
    return token;
  }

  accept(token: string): boolean {
    if (this.next !== token) return false;
    this.#advance();
    return true;
  }

  takeWhile(limit: number, allowed: RegExp): string {
    let taken = '';
    while (taken.length < limit && this.next !== undefined && allowed.test(this.next)) {
      taken += this.next;
      this.#advance();
    }
    return taken;
  }

  /** The text before the terminator, which is taken too. */
  takeUntil(terminator: string, what: string): string {
    let taken = '';
    for (;;) {
      const token = this.take();
      if (token === undefined) {
        if (taken === '') throw this.error(`missing ${what}`);
        throw this.error(`missing ${terminator}, unterminated name`, tokenLength(taken));
      }
      if (token === terminator) {
        if (taken === '') throw this.error(`missing ${what}`, 1);
        return taken;
      }
      taken += token;
    }
  }

  /** An error `back` code points before the token to come. */
  error(message: string, back = 0): PatternError {
    return this.errorAt(message, this.position - back);
  }

  errorAt(message: string, position: number): PatternError {
    return errorAt(message, this.#characters, position);
  }

  #advance(): void {
    const character = this.#characters[this.#index];
    this.next = character;
    if (character === undefined) return;
    this.#index += 1;
    if (character !== '\\') return;
    const escaped = this.#characters[this.#index];
    if (escaped === undefined) {
      throw this.errorAt('bad escape (end of pattern)', this.#characters.length - 1);
    }
    this.#index += 1;
    this.next = character + escaped;
  }
}

/** Length in code points. */
export function tokenLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
