import { setReading, useReading } from '../text/reading.ts';

/** Whether texts are formatted or shown as they came. The choice is kept. */
export function ReadingChoice() {
  const reading = useReading();
  return (
    <span class="reading-choice" role="group" aria-label="Texts">
      <button type="button" aria-pressed={reading === 'formatted'} onClick={() => setReading('formatted')}>
        Formatted
      </button>
      <button type="button" aria-pressed={reading === 'raw'} onClick={() => setReading('raw')}>
        Raw
      </button>
    </span>
  );
}
