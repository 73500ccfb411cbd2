import { printAmount } from './parse-range.ts';
import type { RangeTerm, SearchQuery, Term } from './query.ts';

/** The text of a query: `parseQuery` reads the same query from it. */
export function printQuery({ terms }: SearchQuery): string {
  return terms.map(printTerm).join(' ');
}

function printTerm(term: Term): string {
  const sign = term.isNegated ? '-' : '';
  if (term.kind === 'text') return `${sign}${quoteText(term.text)}`;
  const path = term.path === undefined ? '' : `.${quotePath(term.path)}`;
  const value = term.kind === 'range' ? printRange(term) : term.values.map(quoteValue).join(',');
  return `${sign}${term.key}${path}:${value}`;
}

function printRange({ key, low, high, decimals }: RangeTerm): string {
  if (low !== undefined && high !== undefined) {
    if (decimals !== undefined) return low.value.toFixed(decimals);
    if (low.value === high.value) return printAmount(key, low.value);
    return `${printAmount(key, low.value)}..${printAmount(key, high.value)}`;
  }
  if (low !== undefined) return `>${low.isOpen ? '' : '='}${printAmount(key, low.value)}`;
  return `<${high!.isOpen ? '' : '='}${printAmount(key, high!.value)}`;
}

/** A text that would be read as something else is put in quotes. */
function quoteText(text: string): string {
  return text === '' || /^[-"]|\s|[\p{L}_][\p{L}\p{N}_-]*(?:\.[^\s:]+)?:/u.test(text) ? quote(text) : text;
}

export function quoteValue(value: string): string {
  return value === '' || /^"|[\s,]/.test(value) ? quote(value) : value;
}

export function quotePath(path: string): string {
  return /^[^\s":]+$/.test(path) ? path : quote(path);
}

function quote(text: string): string {
  const escaped = text
    .replaceAll(/["\\]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\t', String.raw`\t`)
    .replaceAll('\r', String.raw`\r`);
  return `"${escaped}"`;
}
