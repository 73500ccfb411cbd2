import type { JsonObject } from '../../src/base/model/json.ts';
import { jsonChanges } from '../text/json/json-changes.ts';
import { ChangeList } from '../diff/change-list.tsx';
import { Labelled } from './value-view.tsx';

/** What a step changed in memory. */
export function MemoryDiff({
  before,
  after,
}: {
  readonly before: JsonObject;
  readonly after: JsonObject | undefined;
}) {
  const isEmpty = Object.keys(before).length === 0 && Object.keys(after ?? {}).length === 0;
  if (after === undefined || isEmpty) return null;
  const changes = jsonChanges(before, after);
  return (
    <div class="stack memory">
      <details>
        <summary>
          <span class="label">Memory</span>
          {changes.length === 0 ? 'as before' : null}
        </summary>
        <div class="stack before-after">
          <Labelled label="Before" value={before} />
          <Labelled label="After" value={after} />
        </div>
      </details>
      {changes.length > 0 && <ChangeList changes={changes} tone="change" />}
    </div>
  );
}
