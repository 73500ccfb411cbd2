import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Source } from './source.ts';

export const SourceContext = createContext<Source | undefined>(undefined);

export function useSource(): Source {
  const source = useContext(SourceContext);
  if (source === undefined) throw new Error('a page is outside of SourceContext');
  return source;
}
