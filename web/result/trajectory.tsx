import { useContext } from 'preact/hooks';
import type { JsonObject } from '../../src/base/model/json.ts';
import type { Outcome } from '../run/filter.ts';
import { VerdictMark } from '../parts/verdict-mark.tsx';
import type { JsonChange } from '../text/json/json-changes.ts';
import { JsonView } from '../text/json/json-view.tsx';
import { Text } from '../text/text.tsx';
import type { AlignedCall, CallState } from './align-calls.ts';
import { CallButton, CallContext, ScopeContext } from './call-links.tsx';
import { ChangeList } from '../diff/change-list.tsx';

const STATES: Readonly<Record<CallState, { readonly name: string; readonly outcome: Outcome }>> = {
  matched: { name: 'as expected', outcome: 'passed' },
  missing: { name: 'not called', outcome: 'failed' },
  extra: { name: 'extra', outcome: 'skipped' },
  out_of_order: { name: 'out of order', outcome: 'failed' },
  wrong_arguments: { name: 'different arguments', outcome: 'failed' },
  wrong_tool: { name: 'different tool', outcome: 'failed' },
  too_slow: { name: 'too slow', outcome: 'failed' },
};
const UNEXPECTED = { name: 'not expected', outcome: 'failed' } as const;

/** Expected and actual tool calls, one below the other: a row for each, with its outcome first. */
export function Trajectory({ calls }: { readonly calls: readonly AlignedCall[] }) {
  const scope = useContext(ScopeContext);
  const { bad } = useContext(CallContext);
  return (
    <ol class="box trajectory">
      {calls.map(({ state, expected, actual, place, differences }, index) => {
        const key = place === undefined ? undefined : scope[place]?.key;
        // Of other assertions a call may break a limit, and be as expected here.
        const isBad = state === 'extra' && key !== undefined && bad.has(key);
        const { name, outcome } = isBad ? UNEXPECTED : STATES[state];
        const isSame = state === 'matched';
        return (
          <li key={index} data-call={key} class={`stack gap-1 trajectory-call is-${outcome}`}>
            <p class="line trajectory-line">
              <VerdictMark outcome={outcome} />
              <CallButton callKey={key}>
                <code class="tool-name">
                  <Text value={String((actual ?? expected)?.['tool'])} />
                </code>
              </CallButton>
              <span class={outcome === 'failed' ? 'mark-failed' : 'dim'}>{name}</span>
            </p>
            {state === 'wrong_tool' && (
              <p class="dim">
                expected{' '}
                <code>
                  <Text value={String(expected?.['tool'])} />
                </code>
              </p>
            )}
            {differences.length > 0 ? (
              <ChangeList changes={differences.map(toChange)} tone="claim" />
            ) : (
              <Arguments call={isSame || actual !== undefined ? actual : expected} />
            )}
          </li>
        );
      })}
    </ol>
  );
}

function Arguments({ call }: { readonly call: JsonObject | undefined }) {
  const value = call?.['input'] ?? call?.['args'];
  return value === undefined ? null : <JsonView value={value} label="Arguments" />;
}

function toChange({ path, expected, actual }: JsonObject): JsonChange {
  return { path: String(path), before: expected, after: actual };
}
