import { options } from 'preact';
import { Observable, useObservable } from '../parts/observable.ts';

/** A page with more text than this is not opened any further: its buttons say what is missing. */
const MOST_TEXT = 1_000_000;
const MOST_ROUNDS = 8;

let isPrinting = false;
const printing = new Observable();
let opened: readonly HTMLDetailsElement[] = [];

/** Paper has no buttons: before printing, everything that is folded or cut is opened. */
export function listenToPrinting(): void {
  addEventListener('beforeprint', () =>
    renderAtOnce(() => {
      tell(true);
      opened = [...document.querySelectorAll<HTMLDetailsElement>('main details:not([open])')];
      for (const details of opened) details.open = true;
      showAll();
    }),
  );
  addEventListener('afterprint', () => {
    for (const details of opened) details.open = false;
    opened = [];
    tell(false);
  });
}

/** Whether the page is being printed. */
export function usePrinting(): boolean {
  return useObservable(printing, () => isPrinting);
}

function tell(value: boolean): void {
  isPrinting = value;
  printing.notify();
}

/** The browser takes what is there when the event ends. */
function renderAtOnce(change: () => void): void {
  const { debounceRendering } = options;
  options.debounceRendering = (render) => render();
  try {
    change();
  } finally {
    if (debounceRendering === undefined) delete options.debounceRendering;
    else options.debounceRendering = debounceRendering;
  }
}

/** Every button shows several times as much as before. */
function showAll(): void {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const buttons = document.querySelectorAll<HTMLButtonElement>('main button.more');
    const size = document.querySelector('main')?.textContent.length ?? 0;
    if (buttons.length === 0 || size > MOST_TEXT) return;
    for (const button of buttons) button.click();
  }
}
