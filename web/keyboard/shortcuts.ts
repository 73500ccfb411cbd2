import { useLayoutEffect, useRef } from 'preact/hooks';
import { readSetting } from '../parts/settings.ts';

/** A key, or two in a row ("g r"), and what it does on the current page. */
export interface Shortcut {
  readonly keys: string;
  readonly does: string;
  readonly run: () => void;
}

type Table = { readonly current: readonly Shortcut[] };

/** The most specific one comes last, and wins. */
const tables: Table[] = [];
let prefix = '';

export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const table = useRef(shortcuts);
  table.current = shortcuts;
  // Before the page is painted: a key may be pressed as soon as it is visible.
  useLayoutEffect(() => {
    tables.push(table);
    return () => void tables.splice(tables.indexOf(table), 1);
  }, []);
}

/** Moving comes last in this list, and so first in the dialog; keys that are not in it come before. */
const ORDER = ['/', 'j', 'k', 'Enter', 'o', 'Escape'];

/** For the help dialog: each key once, searching and moving last. */
export function activeShortcuts(): readonly Shortcut[] {
  const byKeys = new Map<string, Shortcut>();
  for (const { current } of tables.toReversed()) {
    for (const shortcut of current) if (!byKeys.has(shortcut.keys)) byKeys.set(shortcut.keys, shortcut);
  }
  return [...byKeys.values()].toSorted((a, b) => ORDER.indexOf(a.keys) - ORDER.indexOf(b.keys));
}

/** Single letters can disturb people who use speech input: they can be turned off. */
export const KEYS_SETTING = 'assay-keys';

export function listenToKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector('dialog[open]') !== null) return;
    if (event.key !== 'Escape' && (isTyping(event.target) || readSetting(KEYS_SETTING) === 'off')) return;
    // Enter on a link or a button belongs to it.
    if (
      event.key === 'Enter' &&
      event.target instanceof Element &&
      event.target.closest('a, button, summary')
    )
      return;
    const shortcut = find(`${prefix}${event.key}`) ?? find(event.key);
    prefix = event.key === 'g' && prefix === '' ? 'g ' : '';
    if (shortcut === undefined) return;
    event.preventDefault();
    shortcut.run();
  });
}

function find(keys: string): Shortcut | undefined {
  for (const { current } of tables.toReversed()) {
    const found = current.find((shortcut) => shortcut.keys === keys);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type !== 'checkbox' && target.type !== 'radio';
  return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}
