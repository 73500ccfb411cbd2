import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { FaultAction } from '../../src/base/model/fault.ts';
import type { RecordedToolCall } from '../../src/base/model/reply.ts';
import { Text } from '../text/text.tsx';
import { describeAction, describeFault, type RecordedFault } from './faults.ts';

/** The tool calls that went wrong on purpose. */
export const FaultContext = createContext<ReadonlyMap<RecordedToolCall, FaultAction>>(new Map());

/** What a test lets go wrong, to see what its agent makes of it. */
export function FaultsNote({ faults }: { readonly faults: readonly RecordedFault[] }) {
  return (
    <div class="hint faults">
      <h2>Injected faults</h2>
      <ul>
        {faults.map((fault, index) => (
          <li key={index}>
            <Text value={describeFault(fault)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Beside a call that met a fault. */
export function FaultTag({ call }: { readonly call: RecordedToolCall }) {
  const action = useContext(FaultContext).get(call);
  if (action === undefined) return null;
  return (
    <span class="tag fault">
      fault: <Text value={describeAction(action)} />
    </span>
  );
}
