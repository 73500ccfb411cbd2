import type { JsonObject } from '../../src/model/json.ts';
import type { Outcome } from '../run/filter.ts';
import { VerdictMark } from '../parts/verdict-mark.tsx';
import type { JsonChange } from '../text/json/json-changes.ts';
import { JsonView } from '../text/json/json-view.tsx';
import { Text } from '../text/text.tsx';
import type { AlignedCall, CallState } from './align-calls.ts';
import { ChangeList } from './change-list.tsx';

const STATES: Readonly<Record<CallState, { readonly name: string; readonly outcome: Outcome }>> = {
  matched: { name: 'as expected', outcome: 'passed' },
  missing: { name: 'not called', outcome: 'failed' },
  extra: { name: 'extra', outcome: 'skipped' },
  out_of_order: { name: 'out of order', outcome: 'failed' },
  wrong_arguments: { name: 'different arguments', outcome: 'failed' },
  wrong_tool: { name: 'different tool', outcome: 'failed' },
  too_slow: { name: 'too slow', outcome: 'failed' },
};

/** Expected and actual tool calls, side by side. */
export function Trajectory({ calls }: { readonly calls: readonly AlignedCall[] }) {
  return (
    <table class="trajectory">
      <thead>
        <tr>
          <th scope="col">Expected call</th>
          <th scope="col">Actual call</th>
          <th scope="col">Outcome</th>
        </tr>
      </thead>
      <tbody>
        {calls.map(({ state, expected, actual, differences }, index) => (
          <tr key={index}>
            <td>
              <Call call={expected} given="args" />
            </td>
            <td>
              <Call call={actual} given="input" />
              {differences.length > 0 && <ChangeList changes={differences.map(toChange)} tone="claim" />}
            </td>
            <td class="state-cell">
              <VerdictMark outcome={STATES[state].outcome} /> {STATES[state].name}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Call({ call, given }: { readonly call: JsonObject | undefined; readonly given: 'args' | 'input' }) {
  if (call === undefined) return <span class="dim">–</span>;
  const value = call[given];
  return (
    <>
      <code class="tool-name">
        <Text value={String(call['tool'])} />
      </code>
      {value !== undefined && <JsonView value={value} label="Arguments" />}
    </>
  );
}

function toChange({ path, expected, actual }: JsonObject): JsonChange {
  return { path: String(path), before: expected, after: actual };
}
