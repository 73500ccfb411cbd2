import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Json } from '../../../src/base/model/json.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { isDataImage } from '../data-image.ts';
import { DataImage } from '../data-image-view.tsx';
import { formatCount } from '../format.ts';
import { findRanges, HighlightContext } from '../highlight.ts';
import { LongText } from '../long-text.tsx';
import { Shown } from '../text.tsx';
import { JsonInline } from './json-inline.tsx';
import {
  FIRST_ITEMS,
  jsonRows,
  markedPaths,
  NOTHING_TOGGLED,
  sizeText,
  type Folding,
  type JsonRow,
} from './json-rows.ts';
import { jsonText, valueText } from './json-text.ts';

/** Lines beyond this are shown on demand, even if their folders are open. */
const MAX_ROWS = 400;

/** A value as lines that open and close. One line at a time can be reached by Tab; arrows move. */
export function JsonTree({ value, label }: { readonly value: Json; readonly label: string }) {
  const [folding, setFolding] = useState<Folding>(NOTHING_TOGGLED);
  const [active, setActive] = useState<number | undefined>(undefined);
  const [most, setMost] = useState(MAX_ROWS);
  const tree = useRef<HTMLUListElement>(null);
  useEffect(() => {
    setFolding(NOTHING_TOGGLED);
    setActive(undefined);
  }, [value]);
  const highlights = useContext(HighlightContext);
  const marked = useMemo(
    () =>
      highlights.length === 0
        ? undefined
        : markedPaths(value, (text) => findRanges(text, highlights).length > 0),
    [value, highlights],
  );
  const all = useMemo(() => jsonRows(value, folding, marked), [value, folding, marked]);
  const rows = all.slice(0, most);
  const current = Math.min(active ?? 0, rows.length - 1);
  const toggle = (row: JsonRow, isOpen = !row.isOpen): void => {
    if (row.kind === 'more') {
      const limits = new Map(folding.limits).set(row.path, (folding.limits.get(row.path) ?? FIRST_ITEMS) * 5);
      setFolding({ ...folding, limits });
    } else if (row.kind !== 'leaf') {
      setFolding({ ...folding, toggled: new Map(folding.toggled).set(row.path, isOpen) });
    }
  };
  const move = (to: number): void => {
    const next = Math.max(0, Math.min(rows.length - 1, to));
    setActive(next);
    tree.current?.querySelectorAll<HTMLElement>('[role=treeitem]')[next]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[current];
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const isBranch = row.kind === 'folder' || row.kind === 'text';
    const actions: Readonly<Record<string, () => void>> = {
      ArrowDown: () => move(current + 1),
      ArrowUp: () => move(current - 1),
      Home: () => move(0),
      End: () => move(rows.length - 1),
      ArrowRight: () => (isBranch && !row.isOpen ? toggle(row, true) : move(current + 1)),
      ArrowLeft: () => (isBranch && row.isOpen ? toggle(row, false) : move(parentOf(rows, current))),
      Enter: () => toggle(row),
      ' ': () => toggle(row),
    };
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };
  const chosen = active === undefined ? undefined : rows[current];
  return (
    <div class="json-tree" dir="ltr">
      <ul ref={tree} role="tree" aria-label={label} class="code" onKeyDown={onKeyDown}>
        {rows.map((row, index) => (
          <Row
            key={`${row.kind} ${row.path}`}
            row={row}
            isCurrent={index === current}
            isChosen={index === active}
            onChoose={() => {
              setActive(index);
              toggle(row);
            }}
            onFocus={() => setActive(index)}
          />
        ))}
      </ul>
      {all.length > most && (
        <button type="button" class="more" onClick={() => setMost(most * 5)}>
          Show more: {formatCount(all.length - most)} lines left
        </button>
      )}
      {chosen !== undefined && chosen.kind !== 'more' && (
        <p class="line label json-bar">
          <code>
            <Shown text={chosen.path} />
          </code>
          <CopyButton name="Copy path" text={() => chosen.path} />
          <CopyButton name="Copy value" text={() => valueText(chosen.value)} />
          <CopyButton name="Copy all" text={() => jsonText(value)} />
        </p>
      )}
    </div>
  );
}

function parentOf(rows: readonly JsonRow[], index: number): number {
  const { depth } = rows[index]!;
  for (let at = index - 1; at >= 0; at--) if (rows[at]!.depth < depth) return at;
  return 0;
}

function Row({
  row,
  isCurrent,
  isChosen,
  onChoose,
  onFocus,
}: {
  readonly row: JsonRow;
  readonly isCurrent: boolean;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly onFocus: () => void;
}) {
  const { kind, depth, isOpen, position, size } = row;
  const expanded = kind === 'folder' || kind === 'text' ? { 'aria-expanded': isOpen } : {};
  return (
    <li
      role="treeitem"
      class={`json-row json-${kind}`}
      style={{ marginLeft: `min(9em, ${1.4 * depth}em)` }}
      aria-level={depth + 1}
      aria-posinset={position}
      aria-setsize={size}
      aria-selected={isChosen}
      tabIndex={isCurrent ? 0 : -1}
      onFocus={onFocus}
      {...expanded}
    >
      {/* Words may be selected to copy them: that is no click. */}
      <div class="json-line" onClick={() => getSelection()?.isCollapsed !== false && onChoose()}>
        <Line row={row} />
      </div>
      {kind === 'text' && isOpen && <OpenText text={row.value as string} />}
    </li>
  );
}

function Line({ row: { key, kind, value, isOpen } }: { readonly row: JsonRow }) {
  if (kind === 'more') return <span class="more-items">{formatCount(value as number)} more …</span>;
  return (
    <>
      <span class="twist" aria-hidden="true">
        {kind === 'leaf' ? '' : isOpen ? '▾' : '▸'}
      </span>
      <span class={typeof key === 'number' ? 'dim' : 'hljs-attr'}>
        <Shown text={typeof key === 'number' ? String(key) : JSON.stringify(key)} />
      </span>
      {': '}
      {kind === 'folder' ? (
        <span class="dim">
          {Array.isArray(value) ? '[' : '{'} {sizeText(value)} {Array.isArray(value) ? ']' : '}'}
        </span>
      ) : kind === 'text' ? (
        <StartOf text={value as string} isOpen={isOpen} />
      ) : (
        <JsonInline value={value} />
      )}
    </>
  );
}

function StartOf({ text, isOpen }: { readonly text: string; readonly isOpen: boolean }) {
  const size = <span class="dim"> {formatCount(text.length)} characters</span>;
  if (isOpen) return size;
  return (
    <>
      <bdi class="hljs-string">
        <Shown text={JSON.stringify(text.slice(0, 90)).replace(/"$/, '…"')} />
      </bdi>
      {size}
    </>
  );
}

function OpenText({ text }: { readonly text: string }) {
  return isDataImage(text) ? (
    <DataImage address={text} name="" />
  ) : (
    <LongText className="json-open" value={text} />
  );
}
