import type { RunRow } from '../../src/base/model/page-data.ts';
import { Text } from '../text/text.tsx';

/** Where the code of a run came from: branch, commit and its title. */
export function RunOrigin({
  run,
}: {
  readonly run: Pick<RunRow, 'git_revision' | 'git_branch' | 'git_title'>;
}) {
  const { git_revision, git_branch, git_title } = run;
  if (git_revision === undefined) return null;
  return (
    <span class="cut" title={[git_branch, git_title].filter((part) => part !== undefined).join(': ')}>
      <code>
        <Text value={git_revision.slice(0, 7)} />
      </code>
      {git_branch !== undefined && (
        <>
          {' '}
          <Text value={git_branch} />
        </>
      )}
      {git_title !== undefined && (
        <span class="dim">
          {' '}
          <Text value={git_title} />
        </span>
      )}
    </span>
  );
}
