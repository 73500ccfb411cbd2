import { useLayoutEffect, useState } from 'preact/hooks';

/** Something outside of the components that changes while they show it. */
export class Observable {
  private readonly listeners = new Set<() => void>();
  private changes = 0;

  /** Differs after each change. */
  get version(): number {
    return this.changes;
  }

  notify(): void {
    this.changes++;
    for (const listener of this.listeners) listener();
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}

/** What `read` gives now. The component is drawn again when that has changed. */
export function useObservable<T>(watched: Observable, read: () => T): T {
  const [value, setValue] = useState(read);
  useLayoutEffect(() => {
    const update = (): void => setValue(read());
    // It may have changed since the component was drawn.
    update();
    return watched.subscribe(update);
  }, [watched]);
  return value;
}
