import type { Finding, Severity } from '../../base/model/finding.ts';
import { formatPath, type PathSegment } from '../../base/model/place.ts';
import type { LineIndex } from './line-index.ts';
import type { SyntaxProblem } from './syntax-problem.ts';

/** A finding about the text itself, at an offset. */
export function toFinding(
  problem: SyntaxProblem & { readonly severity?: Severity; readonly path?: readonly PathSegment[] },
  file: string,
  lines: LineIndex,
): Finding {
  const { severity = 'error', code, message, hint, offset, path = [] } = problem;
  return {
    severity,
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    file,
    ...lines.at(offset),
    path: formatPath(path),
  };
}
