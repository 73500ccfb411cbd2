import type { Json } from '../../src/base/model/json.ts';
import { Pieces } from '../parts/pieces.tsx';
import type { JsonChange } from '../text/json/json-changes.ts';
import { JsonView } from '../text/json/json-view.tsx';
import { Text } from '../text/text.tsx';

/** `claim`: an expected value is good, and what came instead is not. `change`: of two runs or steps, neither is. */
export type Tone = 'claim' | 'change';

/** Changed paths only, each with its two values. */
export function ChangeList({
  changes,
  tone,
}: {
  readonly changes: readonly JsonChange[];
  readonly tone: Tone;
}) {
  return (
    <ul class={`box changes is-${tone}`}>
      <Pieces items={changes} first={30} what="changes" isList>
        {(change, index) => <Change key={index} change={change} tone={tone} />}
      </Pieces>
    </ul>
  );
}

const WORDS = {
  claim: { added: 'not expected', removed: 'missing', changed: 'different' },
  change: { added: 'added', removed: 'removed', changed: 'changed' },
} as const;
const SIGNS = { added: '+', removed: '−', changed: '~' } as const;

function Change({
  change: { path, before, after },
  tone,
}: {
  readonly change: JsonChange;
  readonly tone: Tone;
}) {
  const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  return (
    <li class={`change change-${kind}`}>
      <span class="sign" role="img" aria-label={WORDS[tone][kind]} title={WORDS[tone][kind]}>
        {SIGNS[kind]}
      </span>
      <span class="path">
        <Text value={path === '' ? '(all of it)' : path} />
      </span>
      <div class="values">
        <Side value={before} name="before" />
        <Side value={after} name="after" />
        {tone === 'claim' && kind !== 'changed' && <span class="dim">{WORDS.claim[kind]}</span>}
      </div>
    </li>
  );
}

function Side({ value, name }: { readonly value: Json | undefined; readonly name: 'before' | 'after' }) {
  if (value === undefined) return null;
  const Mark = name === 'before' ? 'del' : 'ins';
  return (
    <Mark class={`value-${name}`}>
      <JsonView value={value} label={name} />
    </Mark>
  );
}
