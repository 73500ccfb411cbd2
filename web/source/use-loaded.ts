import { useCallback, useEffect, useState } from 'preact/hooks';

export interface Loaded<T> {
  /** Undefined until it is there. */
  readonly value?: T | undefined;
  readonly error?: Error | undefined;
  readonly isLoading: boolean;
}

/**
 * The result of `load`; loaded again if one of `inputs` changes. `reload` loads again and shows the old value
 * meanwhile.
 */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
): Loaded<T> & { readonly reload: () => void } {
  const [loaded, setLoaded] = useState<Loaded<T>>(LOADING);
  const [round, setRound] = useState(0);
  useEffect(() => setLoaded(LOADING), inputs);
  useEffect(() => {
    const abort = new AbortController();
    load(abort.signal).then(
      (value) => !abort.signal.aborted && setLoaded({ value, isLoading: false }),
      (error: unknown) => !abort.signal.aborted && setLoaded({ error: asError(error), isLoading: false }),
    );
    return () => abort.abort();
  }, [...inputs, round]);
  const reload = useCallback(() => setRound((count) => count + 1), []);
  return { ...loaded, reload };
}

const LOADING = { isLoading: true };

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
