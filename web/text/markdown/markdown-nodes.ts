import type { Token, Tokens } from 'marked';
import { codeNodes } from '../code-nodes.ts';
import { element, type TextNode } from '../nodes.tsx';
import { BoundedLexer } from './bounded-lexer.ts';
import { safeAddress } from './safe-address.ts';

/** What is nested deeper than this is shown as it is written. */
const MAX_DEPTH = 16;
/** Only a text that wants to hurt nests this deep, or repeats one sign this often. The lexer would need minutes. */
const HOSTILE = /^[ \t]*(?:>[ \t]*|(?:[-*+]|\d{1,9}[.)])[ \t]+){20}|([*_~`[\]<|!\\])\1{99}|[ \t]{500}/m;

/** Markdown as elements. Line breaks stay, HTML stays text. Undefined: this text is better shown as it is. */
export function markdownNodes(text: string): readonly TextNode[] | undefined {
  if (HOSTILE.test(text)) return undefined;
  try {
    return blocks(new BoundedLexer({ gfm: true, breaks: true }).lex(text), 0);
  } catch {
    // Nested too deep for the lexer.
    return undefined;
  }
}

function blocks(tokens: readonly Token[], depth: number): readonly TextNode[] {
  return tokens.flatMap((token) => block(token, depth));
}

function block(token: Token, depth: number): readonly TextNode[] {
  if (depth > MAX_DEPTH) return [paragraph([token.raw])];
  switch (token.type) {
    case 'space':
    case 'def':
      // A definition of a link is text that nobody would see.
      return token.type === 'def' ? [paragraph([token.raw.trimEnd()])] : [];
    case 'heading':
      return [
        element('div', inlineOf(token, depth), { class: `heading heading-${token['depth']}`, dir: 'auto' }),
      ];
    case 'code':
      return [codeBlock(token as Tokens.Code)];
    case 'blockquote':
      return [element('blockquote', blocks(token['tokens'] as Token[], depth + 1))];
    case 'list':
      return [list(token as Tokens.List, depth)];
    case 'table':
      return [table(token as Tokens.Table, depth)];
    case 'hr':
      return [element('hr')];
    case 'checkbox':
      return [(token as Tokens.Checkbox).checked ? '☑ ' : '☐ '];
    case 'text':
      return inlineOf(token, depth);
    case 'paragraph':
      return [paragraph(inlineOf(token, depth))];
    default:
      return [paragraph([token.raw.replace(/\n+$/, '')])];
  }
}

function paragraph(children: readonly TextNode[]): TextNode {
  return element('p', children, { dir: 'auto' });
}

/** The first word names the language. */
function codeBlock({ text, lang }: Tokens.Code): TextNode {
  const language = /^[\w+#.-]{1,20}/.exec(lang ?? '')?.[0]?.toLowerCase();
  return element('pre', [element('code', codeNodes(text, language))], { class: 'code-block', dir: 'ltr' });
}

function list({ ordered, start, items }: Tokens.List, depth: number): TextNode {
  const children = items.map((item) =>
    element('li', blocks(item.tokens, depth + 1), { dir: 'auto', ...(item.task ? { class: 'task' } : {}) }),
  );
  const first = Number(start);
  return ordered
    ? element('ol', children, Number.isSafeInteger(first) && first !== 1 ? { start: first } : {})
    : element('ul', children);
}

function table({ header, rows }: Tokens.Table, depth: number): TextNode {
  const cell = (tag: 'th' | 'td', { tokens, align }: Tokens.TableCell): TextNode =>
    element(tag, inline(tokens, depth + 1), {
      dir: 'auto',
      ...(align === null ? {} : { class: `align-${align}` }),
    });
  const line = (tag: 'th' | 'td', cells: readonly Tokens.TableCell[]): TextNode =>
    element(
      'tr',
      cells.map((one) => cell(tag, one)),
    );
  return element('table', [
    element('thead', [line('th', header)]),
    element(
      'tbody',
      rows.map((row) => line('td', row)),
    ),
  ]);
}

function inlineOf(token: Token, depth: number): readonly TextNode[] {
  const tokens = (token as { readonly tokens?: readonly Token[] }).tokens;
  return tokens === undefined ? [token.raw] : inline(tokens, depth);
}

function inline(tokens: readonly Token[], depth: number): readonly TextNode[] {
  return tokens.flatMap((token): readonly TextNode[] => {
    if (depth > MAX_DEPTH) return [token.raw];
    switch (token.type) {
      case 'strong':
        return [element('strong', inlineOf(token, depth + 1))];
      case 'em':
        return [element('em', inlineOf(token, depth + 1))];
      case 'del':
        return [element('s', inlineOf(token, depth + 1))];
      case 'codespan':
        return [element('code', [(token as Tokens.Codespan).text], { dir: 'ltr' })];
      case 'br':
        return [element('br')];
      case 'link':
        return link(token as Tokens.Link, depth);
      case 'escape':
        return [(token as Tokens.Escape).text];
      case 'checkbox':
        return [(token as Tokens.Checkbox).checked ? '☑ ' : '☐ '];
      case 'text':
        return inlineOf(token, depth + 1);
      default:
        // HTML, images of the web, and what a later release may add.
        return [token.raw];
    }
  });
}

/** Where a link leads stands beside it: its words may say something else. What leads nowhere safe is text. */
function link(token: Tokens.Link, depth: number): readonly TextNode[] {
  const address = safeAddress(token.href);
  if (address === undefined) return [token.raw];
  const props = { href: address, rel: 'noopener noreferrer nofollow ugc', target: '_blank', dir: 'auto' };
  const isShown =
    [address, address.replace(/^mailto:/, ''), `${address}/`].includes(token.text) ||
    `${token.text}/` === address;
  const words = element('a', isShown ? [address] : inline(token.tokens, depth + 1), props);
  return isShown ? [words] : [words, element('span', [` (${address})`], { class: 'address', dir: 'ltr' })];
}
