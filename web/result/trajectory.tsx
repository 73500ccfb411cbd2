import type { Json, JsonObject } from '../../src/model/json.ts';
import type { Outcome } from '../run/filter.ts';
import { VerdictMark } from '../parts/verdict-mark.tsx';
import { jsonText } from '../text/json/json-text.ts';
import { LongText } from '../text/long-text.tsx';
import { Text } from '../text/text.tsx';
import type { AlignedCall, CallState } from './align-calls.ts';

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
              {differences.map((difference, place) => (
                <Difference key={place} difference={difference} />
              ))}
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
      {value !== undefined && <LongText className="code" value={jsonText(value)} />}
    </>
  );
}

function Difference({ difference: { path, expected, actual } }: { readonly difference: JsonObject }) {
  return (
    <p class="code difference">
      <Text value={String(path)} />: <Value value={expected} mark="ins" /> <Value value={actual} mark="del" />
    </p>
  );
}

/** As elsewhere, expected values are green and actual ones red. */
function Value({ value, mark: Mark }: { readonly value: Json | undefined; readonly mark: 'ins' | 'del' }) {
  if (value === undefined) return null;
  const text = jsonText(value);
  return (
    <Mark>
      <Text value={text.length > 200 ? `${text.slice(0, 200)}…` : text} />
    </Mark>
  );
}
