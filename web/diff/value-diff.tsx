import { useMemo, useState } from 'preact/hooks';
import type { Json } from '../../src/base/model/json.ts';
import { ValueView } from '../result/value-view.tsx';
import { plural } from '../text/format.ts';
import { jsonChanges, type JsonChange } from '../text/json/json-changes.ts';
import { valueText } from '../text/json/json-text.ts';
import { parseJsonText } from '../text/json/parse-json-text.ts';
import { ChangeList, type Tone } from './change-list.tsx';
import { LegendNames, LineDiff, SideWords, textView, type Names } from './text-diff.tsx';
import './diff.css';

const EXPECTED: Names = { before: 'Expected', after: 'Actual' };

interface DiffProps {
  readonly before: Json;
  readonly after: Json;
  readonly names: Names;
  /** Expected is good and actual is not; of two runs, neither is. */
  readonly tone: Tone;
}

/** Two values, and where they differ: of JSON the changed paths, of texts the words or lines. */
export function ValueDiff({
  before,
  after,
  names = EXPECTED,
}: Pick<DiffProps, 'before' | 'after'> & { readonly names?: Names }) {
  const tone: Tone = names === EXPECTED ? 'claim' : 'change';
  const changes = useMemo(() => changesOf(before, after), [before, after]);
  const props = { before, after, names, tone };
  return changes === undefined ? <TextDiff {...props} /> : <JsonDiff {...props} changes={changes} />;
}

/** The paths that differ. Undefined if the values are not both objects or lists, or have nothing in common. */
export function changesOf(before: Json, after: Json): readonly JsonChange[] | undefined {
  const [old, young] = [structureOf(before), structureOf(after)];
  if (old === undefined || young === undefined || Array.isArray(old) !== Array.isArray(young))
    return undefined;
  const changes = jsonChanges(old, young);
  return changes.length === 0 || changes[0]!.path === '' ? undefined : changes;
}

function structureOf(value: Json): Json | undefined {
  if (typeof value === 'string') return parseJsonText(value);
  return typeof value === 'object' && value !== null ? value : undefined;
}

function JsonDiff({ changes, ...values }: DiffProps & { readonly changes: readonly JsonChange[] }) {
  const [isWhole, setWhole] = useState(false);
  return (
    <div class="stack json-diff">
      <p class={`legend is-${values.tone}`}>
        <LegendNames names={values.names} />
        <span class="dim">{plural(changes.length, 'path differs', 'paths differ')}</span>
        <button type="button" class="quiet copy" aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Changed paths only' : 'Show full values'}
        </button>
      </p>
      {isWhole ? <TextDiff {...values} isAll /> : <ChangeList changes={changes} tone={values.tone} />}
    </div>
  );
}

function TextDiff({ before, after, names, tone, isAll = false }: DiffProps & { readonly isAll?: boolean }) {
  const [left, right] = [valueText(before), valueText(after)];
  const view = useMemo(() => textView(left, right, { isAll, byLines: true }), [left, right, isAll]);
  if (view.kind === 'lines') return <LineDiff lines={view.lines} names={names} tone={tone} />;
  const parts = view.kind === 'words' ? view.parts : undefined;
  return (
    <div class={`two-values is-${tone}`}>
      <span class="label">{names.before}</span>
      <div class="value value-before">
        {parts === undefined ? <Whole value={before} /> : <SideWords parts={parts} side="removed" />}
      </div>
      <span class="label">{names.after}</span>
      <div class="value value-after">
        {parts === undefined ? <Whole value={after} /> : <SideWords parts={parts} side="added" />}
      </div>
    </div>
  );
}

function Whole({ value }: { readonly value: Json }) {
  return value === '' ? <span class="dim">(empty)</span> : <ValueView value={value} label="Value" />;
}
