import { useMemo, useState } from 'preact/hooks';
import type { Json } from '../../src/model/json.ts';
import type { DiffLine, DiffPart } from '../../src/match/diff-sequences.ts';
import { diffLines, diffWords, foldedLines, similarity } from '../text/diff.ts';
import { jsonChanges, type JsonChange } from '../text/json/json-changes.ts';
import { valueText } from '../text/json/json-text.ts';
import { parseJsonText } from '../text/json/parse-json-text.ts';
import { plural } from '../text/format.ts';
import { Shown } from '../text/text.tsx';
import { ChangeList, type Tone } from './change-list.tsx';
import { LineDiff } from './line-diff.tsx';
import { ValueView } from './value-view.tsx';

export interface Names {
  readonly before: string;
  readonly after: string;
}

const EXPECTED: Names = { before: 'Expected', after: 'Actual' };
/** Texts with less than this in common are easier to read separately. */
const MIN_SIMILARITY = 0.4;
/** Short texts are compared by words, long ones by lines. */
const MAX_WORDS_LENGTH = 4000;

/** Two values, and where they differ: of JSON the changed paths, of texts the words or lines. */
export function ValueDiff({
  before,
  after,
  names = EXPECTED,
}: {
  readonly before: Json;
  readonly after: Json;
  readonly names?: Names;
}) {
  // Expected is good and actual is not; of two runs, neither is.
  const tone: Tone = names === EXPECTED ? 'claim' : 'change';
  const changes = useMemo(() => pathsOf(before, after), [before, after]);
  return changes === undefined ? (
    <TextDiff before={before} after={after} names={names} tone={tone} />
  ) : (
    <JsonDiff before={before} after={after} names={names} tone={tone} changes={changes} />
  );
}

/** Undefined if the values are not both objects or lists, or have nothing in common. */
function pathsOf(before: Json, after: Json): readonly JsonChange[] | undefined {
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

interface DiffProps {
  readonly before: Json;
  readonly after: Json;
  readonly names: Names;
  readonly tone: Tone;
}

function JsonDiff({ changes, ...values }: DiffProps & { readonly changes: readonly JsonChange[] }) {
  const [isWhole, setWhole] = useState(false);
  const { names } = values;
  return (
    <div class="json-diff">
      <p class={`legend is-${values.tone}`}>
        <span class="removed">− {names.before}</span> <span class="added">+ {names.after}</span>
        <span class="dim">{plural(changes.length, 'path differs', 'paths differ')}</span>
        <button type="button" class="quiet copy" aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Changed paths only' : 'Show the whole'}
        </button>
      </p>
      {isWhole ? <TextDiff {...values} isAll /> : <ChangeList changes={changes} tone={values.tone} />}
    </div>
  );
}

function TextDiff({ before, after, names, tone, isAll = false }: DiffProps & { readonly isAll?: boolean }) {
  const left = valueText(before);
  const right = valueText(after);
  const view = useMemo(() => chooseView(left, right, { isAll }), [left, right, isAll]);
  if (view.kind === 'lines') return <LineDiff lines={view.lines} names={names} tone={tone} />;
  const parts = view.kind === 'words' ? view.parts : undefined;
  return (
    <div class={`two-values is-${tone}`}>
      <span class="label">{names.before}</span>
      <div class="value value-before">
        {parts === undefined ? <Whole value={before} /> : <Words parts={parts} side="removed" />}
      </div>
      <span class="label">{names.after}</span>
      <div class="value value-after">
        {parts === undefined ? <Whole value={after} /> : <Words parts={parts} side="added" />}
      </div>
    </div>
  );
}

type View =
  | { readonly kind: 'whole' }
  | { readonly kind: 'words'; readonly parts: readonly DiffPart[] }
  | { readonly kind: 'lines'; readonly lines: readonly DiffLine[] };

function chooseView(left: string, right: string, { isAll }: { readonly isAll: boolean }): View {
  const isLong = left.includes('\n') && right.includes('\n');
  if (!isLong) {
    if (left.length + right.length > MAX_WORDS_LENGTH) return { kind: 'whole' };
    const parts = diffWords(left, right);
    return similarity(parts) < MIN_SIMILARITY ? { kind: 'whole' } : { kind: 'words', parts };
  }
  const parts = diffLines(left, right);
  if (!isAll && similarity(parts) < MIN_SIMILARITY / 2) return { kind: 'whole' };
  return { kind: 'lines', lines: isAll ? allLines(parts) : foldedLines(parts) };
}

function allLines(parts: readonly DiffPart[]): readonly DiffLine[] {
  return parts.flatMap(({ kind, items }) => items.map((text): DiffLine => ({ kind, text })));
}

function Whole({ value }: { readonly value: Json }) {
  return value === '' ? <span class="dim">(empty)</span> : <ValueView value={value} label="Value" />;
}

/** One side of a word diff, with its own words marked. */
function Words({ parts, side }: { readonly parts: readonly DiffPart[]; readonly side: 'removed' | 'added' }) {
  const Mark = side === 'removed' ? 'del' : 'ins';
  return (
    <div class="long-text">
      <div class="piece" dir="auto">
        {parts
          .filter(({ kind }) => kind === 'same' || kind === side)
          .map(({ kind, items }, index) => {
            const text = <Shown text={items.join('')} />;
            return kind === 'same' ? <span key={index}>{text}</span> : <Mark key={index}>{text}</Mark>;
          })}
      </div>
    </div>
  );
}
