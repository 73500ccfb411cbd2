import type { Test } from '../../base/model/test.ts';
import { testOfFile } from '../../base/model/test-key.ts';

/** Which tests of a run are selected. */
export interface Selection {
  /** A part of a test's id or description, or a JavaScript pattern. */
  readonly grep?: string | undefined;
  /** The same: tests that match it are left out. */
  readonly grepInvert?: string | undefined;
  /** One of these. */
  readonly tags?: readonly string[] | undefined;
  /** None of these. */
  readonly excludedTags?: readonly string[] | undefined;
  /** File to lines: the tests at these lines. */
  readonly lines?: ReadonlyMap<string, readonly number[]> | undefined;
  /** Only these, named `file::test`. */
  readonly tests?: ReadonlySet<string> | undefined;
  /** These come first, named `file::test`. */
  readonly first?: ReadonlySet<string> | undefined;
  /** Named `file::test::target`: targets of these tests that need not run. */
  readonly passedTargets?: ReadonlySet<string> | undefined;
}

/** Builds the predicate once, so that calling it is cheap. */
export function createSelector({
  grep,
  grepInvert,
  tags = [],
  excludedTags = [],
  lines,
  tests,
}: Selection): (test: Test, file: string, next?: Test) => boolean {
  const matches = grep === undefined ? undefined : createGrep(grep);
  const excludes = grepInvert === undefined ? undefined : createGrep(grepInvert);
  return (test, file, next) => {
    if (matches !== undefined && !titlesOf(test).some(matches)) return false;
    if (excludes !== undefined && titlesOf(test).some(excludes)) return false;
    if (excludedTags.some((tag) => test.tags.includes(tag))) return false;
    if (tags.length > 0 && !tags.some((tag) => test.tags.includes(tag))) return false;
    if (tests !== undefined && !tests.has(testOfFile(file, test.id))) return false;
    const wantedLines = lines?.get(file);
    if (wantedLines === undefined) return true;
    return wantedLines.some((line) => isAt(test, line, { file, next }));
  };
}

/** `file.yaml:12` means the test that contains line 12; with `each`, all of its rows, or the row on that line. */
function isAt(
  { place, row }: Test,
  line: number,
  { file, next }: { readonly file: string; readonly next: Test | undefined },
): boolean {
  if (row?.list !== undefined && row.file === file && line >= row.list.first && line <= row.list.last)
    return line >= row.line && line < row.end!;
  return line >= place.line && line < (row?.templateEnd ?? next?.place.line ?? Infinity);
}

/** Its id, its description, and both as results show them. */
function titlesOf({ id, description }: Test): readonly string[] {
  return description === undefined ? [id] : [id, description, `${id} ${description}`];
}

function createGrep(grep: string): (title: string) => boolean {
  const lowered = grep.toLowerCase();
  let pattern: RegExp | undefined;
  try {
    pattern = new RegExp(grep, 'i');
  } catch {
    // Not a pattern: then it is a part of the title.
  }
  return (title) => title.toLowerCase().includes(lowered) || pattern?.test(title) === true;
}
