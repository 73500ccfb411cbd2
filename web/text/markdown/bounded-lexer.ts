import { Lexer, type Token, type Tokens } from 'marked';

/**
 * For each sign that may start something, the lexer may read to the end of its paragraph. What it may read for the
 * paragraphs of one text together: enough for any that people write.
 */
const MOST_READ = 1_000_000;
const SIGN = /[*_~`[\]<!&\\@|]|www\.|https?:/g;
/** In each place of such a word it would look for an address of mail. */
const LONG_WORD = /\S{1000}/;

/** Reads Markdown in bounded time: paragraphs that would take longer stay text. */
export class BoundedLexer extends Lexer {
  private left = MOST_READ;

  override inlineTokens(text: string, tokens: Token[] = []): Token[] {
    const reads = text.length * countSigns(text);
    if (reads <= this.left && !LONG_WORD.test(text)) {
      this.left -= reads;
      return super.inlineTokens(text, tokens);
    }
    const plain: Tokens.Text = { type: 'text', raw: text, text, escaped: false };
    tokens.push(plain);
    return tokens;
  }
}

function countSigns(text: string): number {
  return text.match(SIGN)?.length ?? 0;
}
