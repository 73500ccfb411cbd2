import { createHash } from 'node:crypto';
import { loadAssets, type Asset } from './assets.ts';

/** The built page as one document, in two pieces: the data of a report goes between them. */
export interface InlinePage {
  readonly before: string;
  readonly after: string;
}

/** The page is not built, or its build does not fit into one file. */
export class PageError extends Error {}

/** Inlines scripts and styles into the document, which then needs nothing else and may run nothing else. */
export function inlinePage(webFolder: string): InlinePage {
  const assets = loadAssets(webFolder);
  const html = textOf(assets, '/');
  const scripts: string[] = [];
  const styles: string[] = [];
  const skeleton = html
    .replaceAll(SCRIPT, (_, address: string) => {
      scripts.push(safeScript(textOf(assets, address)));
      return '';
    })
    .replaceAll(STYLE_SHEET, (_, address: string) => {
      styles.push(safeStyle(textOf(assets, address)));
      return '';
    });
  const [, outside] = OUTSIDE.exec(skeleton) ?? [];
  if (outside !== undefined)
    throw new PageError(`the page needs ${outside}, so it does not fit into one file`);
  const [top, head, body] = splitDocument(skeleton);
  const policy = `<meta http-equiv="Content-Security-Policy" content="${policyFor(scripts, styles)}" />`;
  const inlined = [
    ...styles.map((style) => `<style>${style}</style>`),
    ...scripts.map((script) => `<script type="module">${script}</script>`),
  ];
  return { before: `${top}${policy}${head}${inlined.join('\n')}</head>${body}`, after: '</body></html>\n' };
}

const SCRIPT = /<script\b[^>]*?\bsrc="([^"]+)"[^>]*><\/script>/g;
const STYLE_SHEET = /<link\b(?=[^>]*\brel="stylesheet")[^>]*?\bhref="([^"]+)"[^>]*>/g;
/** Inlined images are not requests. */
const OUTSIDE = /\b(?:src|href)="(?!data:)([^"]*)"/;

/** The character set comes first, then the policy, before anything it applies to. */
function splitDocument(html: string): readonly [string, string, string] {
  const match = /^([\s\S]*?<head>\s*(?:<meta charset="utf-8" ?\/?>)?)([\s\S]*)<\/head>([\s\S]*)<\/body>/.exec(
    html,
  );
  if (match === null) throw new PageError('the page is not a document with a head and a body');
  return [match[1]!, match[2]!, match[3]!];
}

function policyFor(scripts: readonly string[], styles: readonly string[]): string {
  const hashes = (texts: readonly string[]): string =>
    texts.length === 0 ? "'none'" : texts.map((text) => `'sha256-${hashOf(text)}'`).join(' ');
  return [
    "default-src 'none'",
    `script-src ${hashes(scripts)}`,
    `style-src ${hashes(styles)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/** Inside strings, the only place they can occur, these mean the same to a script and nothing to the document. */
function safeScript(script: string): string {
  return script.replaceAll(/<\/(?=script)/gi, String.raw`<\/`).replaceAll('<!--', String.raw`\x3C!--`);
}

function safeStyle(style: string): string {
  return style.replaceAll(/<\/(?=style)/gi, String.raw`<\/`);
}

function textOf(assets: ReadonlyMap<string, Asset>, address: string): string {
  const asset = assets.get(address.replace(/^\.?\/?/, '/'));
  if (asset === undefined)
    throw new PageError(
      `the built page has no ${address === '/' ? 'index.html' : address}: run \`npm run build\``,
    );
  return asset.bytes.toString('utf8');
}
