import { byType } from './by-type.ts';
import { list } from './list.ts';
import { object } from './object.ts';
import { boolean, oneOf, text } from './values.ts';

/** What is known of an agent's work that Assay sees but cannot read. */
export interface ObserveSettings {
  /** Hosts and programs that are neither models nor tools: `db.internal:5432`, `git`. */
  readonly harmless?: readonly string[];
  /** Tools that a program forces a model to call only to get an answer in a form. */
  readonly answers?: readonly string[];
}

const names = (label: string) => list(text({ nonEmpty: true }), { nonEmpty: true, label });

export const observeSettings = object(
  {
    harmless: {
      schema: names('list of hosts and programs'),
      doc: 'Hosts (`db.internal:5432`) and programs (`git`) of the agent that are neither models nor tools.',
    },
    answers: {
      schema: names('list of tools'),
      doc: 'Tools that a model is forced to call only to give its answer a form. They are not treated as tool calls.',
    },
  },
  { what: '`observe`' },
);

/** Of a target: whether to observe it, or how. `otel`: by its telemetry. */
export const observeTarget = byType({
  boolean: boolean(),
  string: oneOf(['otel']),
  object: observeSettings,
});
