import { useEffect, useState } from 'preact/hooks';
import { readSetting, writeSetting } from '../parts/settings.ts';

/** `formatted`: Markdown, trees and colours. `raw`: each text as it came. */
export type Reading = 'formatted' | 'raw';

const SETTING = 'assay-reading';
const readers = new Set<(reading: Reading) => void>();

export function currentReading(): Reading {
  return readSetting(SETTING) === 'raw' ? 'raw' : 'formatted';
}

export function setReading(reading: Reading): void {
  writeSetting(SETTING, reading === 'raw' ? 'raw' : undefined);
  for (const tell of readers) tell(reading);
}

/** How texts are shown; a change reaches all of them. */
export function useReading(): Reading {
  const [reading, tell] = useState(currentReading);
  useEffect(() => {
    readers.add(tell);
    return () => void readers.delete(tell);
  }, []);
  return reading;
}
