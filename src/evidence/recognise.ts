import type { Json } from '../model/json.ts';
import type { AskedStep, Dialect } from './dialects/dialect.ts';
import { DIALECTS } from './dialects/registry.ts';
import type { Trace } from './trace.ts';

export interface RecognisedTrace extends Trace {
  /** For messages: "an AI SDK result". */
  readonly dialect: string;
}

/** Reads what a framework returns or prints. Undefined: it is nothing known. */
export function recognise(value: Json, step: AskedStep): RecognisedTrace | undefined {
  const dialect: Dialect | undefined = DIALECTS.find((each) => each.recognises(value));
  return dialect === undefined ? undefined : { ...dialect.read(value, step), dialect: dialect.name };
}

/** Whether a value is what a framework returns or prints. */
export function isRecognised(value: Json): boolean {
  return DIALECTS.some((each) => each.recognises(value));
}
