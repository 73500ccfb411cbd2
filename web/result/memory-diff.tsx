import type { JsonObject } from '../../src/model/json.ts';
import { Pieces } from '../parts/pieces.tsx';
import { jsonChanges, type JsonChange } from '../text/json/json-changes.ts';
import { jsonText } from '../text/json/json-text.ts';
import { LongText } from '../text/long-text.tsx';
import { Text } from '../text/text.tsx';
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
    <div class="memory">
      <details>
        <summary>
          <span class="label">Memory</span>
          {changes.length === 0 ? 'as before' : null}
        </summary>
        <div class="before-after">
          <Labelled label="Before" value={before} />
          <Labelled label="After" value={after} />
        </div>
      </details>
      {changes.length > 0 && (
        <ul class="changes">
          <Pieces items={changes} first={30} what="changes" isList>
            {(change) => <Change key={change.path} change={change} />}
          </Pieces>
        </ul>
      )}
    </div>
  );
}

function Change({ change: { path, before, after } }: { readonly change: JsonChange }) {
  const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  return (
    <li class={`change change-${kind}`}>
      <span class="sign" aria-label={kind}>
        {kind === 'added' ? '+' : kind === 'removed' ? '−' : '~'}
      </span>
      <span class="path">
        <Text value={path} />
      </span>
      <div class="values">
        {before !== undefined && (
          <del>
            <LongText className="code" value={jsonText(before)} />
          </del>
        )}
        {after !== undefined && (
          <ins>
            <LongText className="code" value={jsonText(after)} />
          </ins>
        )}
      </div>
    </li>
  );
}
