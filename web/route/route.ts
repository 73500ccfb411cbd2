import { useMemo } from 'preact/hooks';
import { Observable, useObservable } from '../parts/observable.ts';

/** The current route: everything shown follows from it, so every state has a link. */
export interface Route {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

export type Query = Readonly<Record<string, string | undefined>>;

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = splitOnce(hash.replace(/^#\/?/, ''), '?');
  return {
    path: path
      .split('/')
      .filter((part) => part !== '')
      .map(decode),
    query: new URLSearchParams(query),
  };
}

/** `#/runs/ID?verdict=failed`. Undefined and empty values are left out. */
export function linkTo(path: readonly (string | number)[], query: Query | URLSearchParams = {}): string {
  const given =
    query instanceof URLSearchParams
      ? query
      : new URLSearchParams(
          Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? '') !== ''),
        );
  // People read queries in links: `verdict:failed,error`.
  const text = given.toString().replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%2F', '/');
  return `#/${path.map((part) => encodeURIComponent(part)).join('/')}${text === '' ? '' : `?${text}`}`;
}

const routes = new Observable();

export function listenToRoutes(): void {
  addEventListener('hashchange', () => routes.notify());
}

export function go(link: string): void {
  location.hash = link;
  // The browser reports a new link a little later: the next key may have been pressed by then.
  routes.notify();
}

/** For filters: the back button must not go through every typed letter. */
export function replaceRoute(link: string): void {
  // Not history.replaceState, which some browsers refuse for a page opened from disk.
  location.replace(link);
  routes.notify();
}

export function useRoute(): Route {
  const hash = useObservable(routes, () => location.hash);
  return useMemo(() => parseRoute(hash), [hash]);
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** A broken link leads nowhere, but breaks nothing. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
