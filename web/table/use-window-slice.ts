import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

interface Slice {
  readonly from: number;
  readonly to: number;
}

/** What is drawn beyond the window on either side. The slice moves in steps of this size, not with every pixel. */
const OVERSCAN_PX = 640;
const FIRST_ROWS = 64;

/** Which rows of a list, of `count` rows of equal height, are visible. */
export function useWindowSlice(list: RefObject<HTMLElement | null>, count: number, rowHeight: number): Slice {
  const [slice, setSlice] = useState<Slice>({ from: 0, to: Math.min(count, FIRST_ROWS) });
  useLayoutEffect(() => {
    let frame = 0;
    const update = (): void => {
      frame = 0;
      if (list.current === null) return;
      const overscan = Math.max(1, Math.round(OVERSCAN_PX / rowHeight));
      const above = Math.max(0, -list.current.getBoundingClientRect().top);
      const first = Math.floor(above / rowHeight / overscan) * overscan;
      const from = Math.max(0, Math.min(first, count) - overscan);
      const to = Math.min(count, first + Math.ceil(innerHeight / rowHeight) + 2 * overscan);
      setSlice((old) => (old.from === from && old.to === to ? old : { from, to }));
    };
    const updateSoon = (): void => {
      if (frame === 0) frame = requestAnimationFrame(update);
    };
    update();
    addEventListener('scroll', updateSoon, { passive: true });
    addEventListener('resize', updateSoon);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', updateSoon);
      removeEventListener('resize', updateSoon);
    };
  }, [list, count, rowHeight]);
  return slice;
}
