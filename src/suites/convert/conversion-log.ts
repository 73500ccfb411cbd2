import { cutsCharacter } from '../../base/match/cuts-character.ts';
import type { Finding, Severity } from '../../base/model/finding.ts';
import type { Json } from '../../base/model/json.ts';
import { formatPath, type PathSegment, type Place } from '../../base/model/place.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { Source } from '../../base/schema/reader.ts';
import type { Comment } from './contract.ts';
import type { ForeignValue } from './foreign-value.ts';

/** Where something stands in the file that is converted. */
export type Locate = (
  path: readonly PathSegment[],
  part: 'key' | 'value',
) => Place & { readonly path: string };

export function locateIn(source: Source): Locate {
  return (path, part) => ({ file: source.file, ...source.locate(path, part), path: formatPath(path) });
}

interface LostField extends Pick<Loss, 'at'> {
  readonly what?: string;
  readonly why?: string | undefined;
}

interface Loss {
  /** Its name in the file that is converted. */
  readonly what: string;
  /** Why there is no counterpart, or what to do instead. */
  readonly why: string;
  /** Where it is in the file that is converted. */
  readonly from: readonly PathSegment[];
  /** Where it would be in the result. */
  readonly at: readonly PathSegment[];
  /** Shown in the comment. */
  readonly value?: Json | undefined;
}

interface Problem {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly from: readonly PathSegment[];
}

/** What a conversion has to report: each thing that is lost is a finding at its place and a comment in the result. */
export class ConversionLog {
  readonly comments: Comment[] = [];
  readonly findings: Finding[] = [];
  private readonly locate: Locate;

  constructor(locate: Locate) {
    this.locate = locate;
  }

  /** Something that has no counterpart. */
  lost({ what, why, from, at, value }: Loss): void {
    const problem = { code: 'not_converted', message: `${what} is not converted: ${why}` };
    this.add('error', { ...problem, from }, 'key');
    this.comment(at, `not converted: ${what}${value === undefined ? '' : `: ${excerpt(value)}`} (${why})`);
  }

  /** A field that has no counterpart, by default because nothing is known of it. */
  lostField(
    { path, value }: ForeignValue,
    { what = String(path.at(-1)), why = 'Assay does not know this field', at }: LostField,
  ): void {
    this.lost({ what, why, from: path, at, value });
  }

  /** Something that is wrong in the file that is converted. It is not in the result. */
  broken(problem: Problem, at: readonly PathSegment[]): void {
    this.add('error', problem, 'value');
    this.comment(at, `not converted: ${problem.message}`);
  }

  /** Nothing is lost, but the author should know. */
  warn(problem: Problem): void {
    this.add('warning', problem, 'value');
  }

  comment(at: readonly PathSegment[], text: string): void {
    this.comments.push({ at, text });
  }

  private add(severity: Severity, { from, ...problem }: Problem, part: 'key' | 'value'): void {
    this.findings.push({ severity, ...problem, ...this.locate(from, part) });
  }
}

const LONGEST = 400;

function excerpt(value: Json): string {
  const text = printJson(value);
  if (text.length <= LONGEST) return text;
  const end = cutsCharacter(text, LONGEST) ? LONGEST - 1 : LONGEST;
  return `${text.slice(0, end)}… (${text.length} characters)`;
}
