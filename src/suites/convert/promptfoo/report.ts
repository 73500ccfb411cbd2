import type { Json } from '../../../base/model/json.ts';
import type { PathSegment } from '../../../base/model/place.ts';
import type { ConversionLog } from '../conversion-log.ts';
import type { ForeignValue } from '../foreign-value.ts';

export type At = readonly PathSegment[];

interface Lost {
  readonly what: string;
  readonly why: string;
  readonly from: At;
  readonly value?: Json | undefined;
}

interface Warning {
  readonly code: string;
  readonly message: string;
  readonly from: At;
  readonly hint?: string;
}

/**
 * What cannot be converted. A default or a prompt is used by many tests: it is one finding, and a comment at each of its
 * places.
 */
export class Report {
  private readonly log: ConversionLog;
  private readonly reported = new Set<string>();

  constructor(log: ConversionLog) {
    this.log = log;
  }

  lost(lost: Lost, at: At): void {
    if (this.isNew(lost.what, lost.why, lost.from)) this.log.lost({ ...lost, at });
    else this.log.comment(at, `not converted: ${lost.what} (${lost.why})`);
  }

  /** Nothing is lost, but the result differs from promptfoo's, or might surprise. */
  warn(warning: Warning): void {
    const { code, message, from } = warning;
    if (this.isNew(code, message, from)) this.log.warn(warning);
  }

  private isNew(...parts: readonly unknown[]): boolean {
    const key = JSON.stringify(parts);
    const isNew = !this.reported.has(key);
    this.reported.add(key);
    return isNew;
  }
}

/** The name of a field, for messages. */
export function nameOf({ path }: ForeignValue): string {
  return String(path.at(-1));
}
