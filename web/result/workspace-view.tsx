import type { DiffLine } from '../../src/base/match/diff-sequences.ts';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { LineDiff } from '../diff/text-diff.tsx';
import { plural } from '../text/format.ts';
import { Text } from '../text/text.tsx';

/** What the agent changed in its workspace. */
export function WorkspaceView({
  workspace,
}: {
  readonly workspace: NonNullable<AttemptRecord['workspace']>;
}) {
  const { changed_files, diff, diff_cut, folder, protected_changed, hosts } = workspace;
  return (
    <section class="step" aria-labelledby="workspace">
      <header class="step-head">
        <h2 id="workspace">Workspace</h2>
        <span class="dim">
          {changed_files === 0 ? 'nothing changed' : `${plural(changed_files, 'file')} changed`}
        </span>
      </header>
      {protected_changed !== undefined && (
        <Names label="Protected files that were changed, and restored" names={protected_changed} />
      )}
      {hosts !== undefined && hosts.length > 0 && (
        <Names
          label="Hosts"
          names={hosts.map(({ host, refused }) => (refused === true ? `${host} (refused)` : host))}
        />
      )}
      {folder !== undefined && <Names label="Kept in" names={[folder]} />}
      {diff !== undefined && <LineDiff lines={diff.trimEnd().split('\n').map(lineOf)} tone="change" />}
      {diff_cut !== undefined && (
        <p class="hint">
          <Text value={diff_cut} />
        </p>
      )}
    </section>
  );
}

function Names({ label, names }: { readonly label: string; readonly names: readonly string[] }) {
  return (
    <p class="hint">
      {label}: <Text value={names.join(', ')} />
    </p>
  );
}

function lineOf(line: string): DiffLine {
  if (/^(?:diff |index |\+\+\+ |--- |@@ )/.test(line)) return { kind: 'fold', text: line };
  if (line.startsWith('+')) return { kind: 'added', text: line.slice(1) };
  return line.startsWith('-')
    ? { kind: 'removed', text: line.slice(1) }
    : { kind: 'same', text: line.slice(1) };
}
