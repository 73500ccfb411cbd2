import { Observable, useObservable } from '../parts/observable.ts';
import { readSetting, writeSetting } from '../parts/settings.ts';

/** `formatted`: Markdown, trees and colours. `raw`: each text as it came. */
export type Reading = 'formatted' | 'raw';

const SETTING = 'assay-reading';
const readings = new Observable();

export function currentReading(): Reading {
  return readSetting(SETTING) === 'raw' ? 'raw' : 'formatted';
}

export function setReading(reading: Reading): void {
  writeSetting(SETTING, reading === 'raw' ? 'raw' : undefined);
  readings.notify();
}

/** How texts are shown; a change reaches all of them. */
export function useReading(): Reading {
  return useObservable(readings, currentReading);
}
