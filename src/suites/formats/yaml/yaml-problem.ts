import type { PathSegment } from '../../../base/model/place.ts';

/** A problem of a YAML text that could be read nevertheless. */
export interface YamlProblem {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly offset: number;
  readonly path: readonly PathSegment[];
}
