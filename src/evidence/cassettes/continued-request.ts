import { isJsonList, type Json, type JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import { inCanonicalOrder, MESSAGE_LISTS, type CanonicalRequest } from './canonical-request.ts';

/*
 * An agent repeats the whole conversation with each call. A cassette says it once: a request continues an earlier one, and only
 * what it adds is written.
 */

/** How a request is written: in full, or as what follows another one. */
export type WrittenRequest =
  | { readonly to: string; readonly body: JsonObject }
  | {
      /** The name of the recording that it continues. */
      readonly continues: string;
      /** Fields that differ. */
      readonly with?: JsonObject | undefined;
      /** Messages that come after those of the other one. */
      readonly adds?: readonly Json[] | undefined;
    };

/** Requests of one cassette, as they are written. */
export class RequestWriter {
  private readonly known: { readonly name: string; readonly shape: RequestShape }[] = [];

  write(name: string, request: CanonicalRequest): WrittenRequest {
    const shape = new RequestShape(request);
    let best: { readonly name: string; readonly shape: RequestShape } | undefined;
    for (const each of this.known)
      if (shape.continues(each.shape) && each.shape.items.length >= (best?.shape.items.length ?? 0))
        best = each;
    this.known.push({ name, shape });
    if (best === undefined) return request;
    const changed = shape.changesOf(best.shape);
    const added = shape.list.slice(best.shape.list.length);
    return {
      continues: best.name,
      ...(Object.keys(changed).length > 0 && { with: changed }),
      ...(added.length > 0 && { adds: added }),
    };
  }
}

/** The other way round. Undefined: there is no recording of that name before it, or nothing that could continue. */
export function readContinued(
  written: WrittenRequest,
  known: ReadonlyMap<string, CanonicalRequest>,
): CanonicalRequest | undefined {
  if ('body' in written) return { to: written.to, body: inCanonicalOrder(written.body) };
  const base = known.get(written.continues);
  if (base === undefined) return undefined;
  const listKey = listKeyOf(base.body);
  const body: Record<string, Json> = { ...base.body, ...written.with };
  if (written.adds !== undefined) {
    if (listKey === undefined) return undefined;
    body[listKey] = [...(base.body[listKey] as readonly Json[]), ...written.adds];
  }
  return { to: base.to, body: inCanonicalOrder(body) };
}

class RequestShape {
  readonly to: string;
  readonly listKey: string | undefined;
  readonly list: readonly Json[];
  /** As texts, so that they can be compared. */
  readonly items: readonly string[];
  private readonly body: JsonObject;
  private readonly fields: ReadonlyMap<string, string>;

  constructor({ to, body }: CanonicalRequest) {
    this.to = to;
    this.body = body;
    this.listKey = listKeyOf(body);
    this.list = this.listKey === undefined ? [] : (body[this.listKey] as readonly Json[]);
    this.items = this.list.map((item) => printJson(item));
    const names = Object.keys(body).filter((key) => key !== this.listKey);
    this.fields = new Map(names.map((key) => [key, printJson(body[key])]));
  }

  /** Whether the other one is the beginning of this one. Whoever shares no message with it has little to continue. */
  continues(other: RequestShape): boolean {
    return (
      this.to === other.to &&
      this.listKey === other.listKey &&
      other.items.length <= this.items.length &&
      other.items.every((item, index) => item === this.items[index]) &&
      [...other.fields.keys()].every((key) => this.fields.has(key)) &&
      (other.items.length > 0 || this.items.length === 0)
    );
  }

  changesOf(other: RequestShape): JsonObject {
    const names = [...this.fields.keys()].filter((key) => this.fields.get(key) !== other.fields.get(key));
    return Object.fromEntries(names.map((key) => [key, this.body[key]!]));
  }
}

function listKeyOf(body: JsonObject): string | undefined {
  return MESSAGE_LISTS.find((key) => isJsonList(body[key]));
}
