import { useMemo, useState } from 'preact/hooks';
import type { AttemptRecord } from '../../../src/base/model/record.ts';
import { Icon } from '../../parts/icon.tsx';
import { Pieces } from '../../parts/pieces.tsx';
import { formatCost, formatDuration, formatTokens, plural } from '../../text/format.ts';
import { Text } from '../../text/text.tsx';
import { CallButton, type CallLinks } from '../call-links.tsx';
import { SentRequestView } from '../sent/sent-view.tsx';
import { waterfallOf, type WaterfallRow } from './waterfall-rows.ts';
import './waterfall.css';

const FIRST_ROWS = 60;
/** A longer one, and one that tells no more than the order, is opened by those who want it. */
const OPEN_ROWS = 24;

/** The steps and calls of an attempt in time. Nothing where there is only one step and no call. */
export function WaterfallView({
  record,
  links,
}: {
  readonly record: AttemptRecord;
  readonly links: CallLinks;
}) {
  const { rows, endMs: knownEndMs, hasUntimed } = useMemo(() => waterfallOf(record), [record]);
  const endMs = knownEndMs ?? 0;
  const keys = useMemo(() => keysOf(rows, links), [rows, links]);
  if (rows.length < 2) return null;
  const calls = rows.filter(({ kind }) => kind !== 'step').length;
  // Where all of it comes from one source, that is said once, below the conversation.
  const hasSources = new Set(rows.flatMap(({ kind, source }) => (kind === 'step' ? [] : [source]))).size > 1;
  const isTimed = rows.some(({ kind, startMs }) => kind !== 'step' && startMs !== undefined);
  const failed = rows.filter(({ kind, isFailed }) => kind !== 'step' && isFailed).length;
  return (
    <details class="waterfall" open={rows.length <= OPEN_ROWS && isTimed}>
      <summary>
        <h2>Timeline</h2>
        <span class="dim">
          {plural(record.steps.length, 'step')} · {plural(calls, 'call')}
          {failed > 0 && ` · ${failed} failed`}
          {knownEndMs !== undefined && ` · ${formatDuration(endMs)}`}
        </span>
      </summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Step or call</th>
            {hasSources && <th scope="col">Evidence</th>}
            <th scope="col" class="number">
              Tokens
            </th>
            <th scope="col" class="number">
              Cost
            </th>
            <th scope="col" class="number">
              Duration
            </th>
            <th scope="col" class="bars">
              <span class="visually-hidden">When</span>
              {knownEndMs !== undefined && (
                <span class="axis" aria-hidden="true">
                  <span>0</span>
                  <span>{formatDuration(endMs / 2)}</span>
                  <span>{formatDuration(endMs)}</span>
                </span>
              )}
            </th>
          </tr>
        </thead>
        <tbody>
          <Pieces items={rows} first={FIRST_ROWS} what="calls" columns={hasSources ? 6 : 5}>
            {(row, index) => (
              <Row key={index} row={row} endMs={endMs} callKey={keys.get(row)} hasSource={hasSources} />
            )}
          </Pieces>
        </tbody>
      </table>
      {hasUntimed && (
        <p class="dim">
          Calls without a bar have no time, and stand in their order: they were replayed, or reported without
          one. Let Assay observe the model calls to see when each was made.
        </p>
      )}
    </details>
  );
}

const KINDS = { step: '', model: 'model', tool: 'tool' } as const;

/** A call of the timeline is the one of the conversation with the same tool, as often called before in its step. */
function keysOf(rows: readonly WaterfallRow[], { calls }: CallLinks): ReadonlyMap<WaterfallRow, string> {
  const keys = new Map<WaterfallRow, string>();
  const taken = new Set<string>();
  for (const row of rows) {
    const found = calls.find(
      ({ key, step, call }) =>
        row.kind === 'tool' && step === row.step && call.tool === row.name && !taken.has(key),
    );
    if (found === undefined) continue;
    taken.add(found.key);
    keys.set(row, found.key);
  }
  return keys;
}

function Row({
  row,
  endMs,
  callKey,
  hasSource,
}: {
  readonly row: WaterfallRow;
  readonly endMs: number;
  readonly callKey: string | undefined;
  readonly hasSource: boolean;
}) {
  const { kind, name, isFailed, tokens, costUsd, durationMs, isBound, source, agent, fault } = row;
  const [isOpen, setOpen] = useState(false);
  const line = (
    <tr class={`waterfall-${kind}${isFailed ? ' is-failed' : ''}`} data-call={callKey}>
      <th scope="row">
        {isFailed && kind !== 'step' && <Icon name="failed" label="failed" />}
        {kind === 'step' ? (
          <button type="button" class="quiet step-link" onClick={() => goToStep(row.step)}>
            {name}
          </button>
        ) : (
          <>
            <span class="label call-kind">{KINDS[kind]}</span>{' '}
            {kind === 'model' ? (
              <button
                type="button"
                class="bare call-link"
                aria-expanded={isOpen}
                title="What was sent"
                onClick={() => setOpen(!isOpen)}
              >
                <Text value={name} />
                <Icon name="chevron" />
              </button>
            ) : (
              <CallButton callKey={callKey}>
                <Text value={name} />
              </CallButton>
            )}
          </>
        )}
        {agent !== undefined && (
          <span class="dim">
            {' '}
            by <Text value={agent} />
          </span>
        )}
        {fault !== undefined && (
          <span class="tag fault">
            fault: <Text value={fault} />
          </span>
        )}
      </th>
      {hasSource && <td class="dim">{source ?? '–'}</td>}
      <td class="number">{tokens === undefined ? '' : formatTokens(tokens)}</td>
      <td class="number">{costUsd === undefined ? '' : formatCost(costUsd)}</td>
      <td class="number">
        {durationMs !== undefined && (isBound === true ? '≤ ' : '')}
        {durationMs === undefined ? '' : formatDuration(durationMs)}
      </td>
      <td class="bars">
        <Bar row={row} endMs={endMs} />
      </td>
    </tr>
  );
  if (!isOpen) return line;
  return (
    <>
      {line}
      <tr class="waterfall-sent">
        <td colSpan={hasSource ? 6 : 5}>
          <SentRequestView sent={row.sent} />
        </td>
      </tr>
    </>
  );
}

function Bar({
  row: { startMs, durationMs, kind },
  endMs,
}: {
  readonly row: WaterfallRow;
  readonly endMs: number;
}) {
  if (startMs === undefined) return <span class="dim untimed">order only</span>;
  const scale = endMs === 0 ? 0 : 1000 / endMs;
  const width = Math.max(3, (durationMs ?? 0) * scale);
  const label = `from ${formatDuration(startMs)}${durationMs === undefined ? '' : ` to ${formatDuration(startMs + durationMs)}`}`;
  return (
    <svg class="waterfall-bar" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label={label}>
      <line class="grid-line" x1="500" x2="500" y1="0" y2="10" />
      <rect
        class={`bar-${kind}${durationMs === undefined ? ' is-open' : ''}`}
        x={Math.min(997, startMs * scale)}
        y={kind === 'step' ? 3 : 1.5}
        width={Math.min(width, 1000)}
        height={kind === 'step' ? 4 : 7}
      />
    </svg>
  );
}

/** The hash of the address is the route: steps have none of their own. */
function goToStep(number: number): void {
  const heading = document.querySelector<HTMLElement>(`#step-${number}`);
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  heading.scrollIntoView({ block: 'start' });
}
