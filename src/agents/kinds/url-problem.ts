import { VARIABLE } from './target-fields.ts';

/** What is wrong with the address of an HTTP server, as far as its variables allow to check. */
export function urlProblem(url: string): { readonly message: string; readonly hint: string } | undefined {
  if (url.search(VARIABLE) !== -1) return undefined;
  if (URL.canParse(url) && isHttp(new URL(url))) return undefined;
  return {
    message: `${JSON.stringify(url)} is not the address of an HTTP server`,
    hint: 'write it as http://host:port/path',
  };
}

export function isHttp({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}
