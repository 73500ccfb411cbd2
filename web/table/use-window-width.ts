import { useEffect, useState } from 'preact/hooks';

/** The width of the window, while it changes. */
export function useWindowWidth(): number {
  const [width, setWidth] = useState(innerWidth);
  useEffect(() => {
    const update = (): void => setWidth(innerWidth);
    update();
    addEventListener('resize', update);
    return () => removeEventListener('resize', update);
  }, []);
  return width;
}
