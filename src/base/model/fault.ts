import type { Json } from './json.ts';
import type { Place } from './place.ts';

/** What goes wrong on purpose, at one call of an attempt. */
export interface Fault {
  /** `model`, or `tool NAME`: the result of that tool. */
  readonly on: string;
  /** Which call, from 1 on. */
  readonly call: number;
  readonly do: FaultAction;
  readonly place: Place;
}

/** A number is the status of an error. */
export type FaultAction = number | 'timeout' | 'reset' | 'truncate' | { readonly reply: Json };

/** Without their places. */
export function plainFaults(faults: readonly Fault[]): readonly Omit<Fault, 'place'>[] {
  return faults.map(({ on, call, do: action }) => ({ on, call, do: action }));
}

/** The tool whose result is changed. Undefined: the fault is one of the model. */
export function faultyTool({ on }: Pick<Fault, 'on'>): string | undefined {
  return on === 'model' ? undefined : on.slice('tool '.length);
}

/** For messages: `model call 2`, `call 1 of the tool "search"`. */
export function faultyCall(fault: Pick<Fault, 'on' | 'call'>): string {
  const tool = faultyTool(fault);
  return tool === undefined ? `model call ${fault.call}` : `call ${fault.call} of the tool "${tool}"`;
}
