import type { ShownFinding } from '../../src/base/model/page-data.ts';
import { SourceFrame } from '../result/source-frame.tsx';
import { Text } from '../text/text.tsx';

/** What is wrong in the files of a run: where, what, the lines around it, and what to do. */
export function FindingList({ findings }: { readonly findings: readonly ShownFinding[] }) {
  return (
    <ul class="stack gap-4 findings">
      {findings.map((finding, index) => {
        const { severity, code, message, hint, file, source } = finding;
        return (
          <li key={index}>
            <p>
              <strong class={severity === 'error' ? 'mark-failed' : 'mark-error'}>{severity}</strong>{' '}
              <Text value={message} /> <span class="dim">({code})</span>
            </p>
            {file !== '' && <SourceFrame place={finding} sources={source === undefined ? [] : [source]} />}
            {hint !== undefined && (
              <p>
                <strong class="mark-passed">Hint:</strong> <Text value={hint} />
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
}
