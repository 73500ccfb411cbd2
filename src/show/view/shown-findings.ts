import type { ShownFinding } from '../../base/model/page-data.ts';
import type { RunFacts } from './run-row.ts';
import type { SourceExcerpts } from './source-excerpts.ts';

/** Nobody reads more: the terminal has the rest. */
const MOST = 20;

/** What is wrong in the files of a run, each with the lines around it; errors first. */
export async function shownFindings(
  { ending, description }: RunFacts,
  sources: SourceExcerpts,
): Promise<readonly ShownFinding[] | undefined> {
  const all = (ending?.findings ?? []).toSorted((a, b) => a.severity.localeCompare(b.severity));
  if (all.length === 0) return undefined;
  return Promise.all(
    all.slice(0, MOST).map(async (finding) => {
      const { file, line } = finding;
      const [source] = file === '' ? [] : await sources.around(new Map([[file, [line]]]), description);
      return { ...finding, source };
    }),
  );
}
