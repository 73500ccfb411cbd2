import type { JsonObject } from '../base/model/json.ts';
import type { SeenInputs } from '../base/model/seen-inputs.ts';

/** Gathers which files the processes of one agent used. */
export class InputLog {
  private readonly looks = new Map<string, string>();
  private readonly written = new Set<string>();
  private readonly variables = new Set<string>();
  private readonly unseen = new Set<string>();

  /** What a process sent, with `inputs`. Undefined: it ended, and what it read last is not known. */
  add(answer: JsonObject | undefined): void {
    if (answer === undefined) return void this.unseen.add('its process ended too early');
    const { looks, written, variables, unseen } = (answer['inputs'] ?? NOTHING) as unknown as SeenInputs;
    for (const [key, look] of Object.entries(looks)) {
      const first = this.looks.get(key);
      // Two processes saw two states: no single one is behind the results.
      this.looks.set(key, first === undefined || first === look ? look : CHANGED);
    }
    for (const path of written) this.written.add(path);
    for (const name of variables) this.variables.add(name);
    for (const reason of unseen) this.unseen.add(reason);
  }

  seen(): SeenInputs {
    return {
      looks: Object.fromEntries(this.looks),
      written: [...this.written],
      variables: [...this.variables],
      unseen: [...this.unseen],
    };
  }
}

const NOTHING: SeenInputs = { looks: {}, written: [], variables: [], unseen: [] };
/** Nothing ever looks like this. */
const CHANGED = 'changed';
