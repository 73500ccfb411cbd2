import type { Assertion } from '../../base/model/assertion.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { Place } from '../../base/model/place.ts';
import type { AssertionRecord, AttemptRecord } from '../../base/model/record.ts';
import { ofMovedRow } from '../../base/model/row-finding.ts';
import type { Test } from '../../base/model/test.ts';

/**
 * A result of an unchanged test, with the places and the description that the test has now: lines may have been
 * inserted above it since. The same object if nothing moved.
 */
export function placedRecord(record: AttemptRecord, test: Test): AttemptRecord {
  const { line, column } = test.place;
  const { description, tags, metadata } = test;
  const row = test.row && plain(test.row);
  const isMoved =
    record.line !== line ||
    record.column !== column ||
    isElsewhere(record.row, row) ||
    hasMovedInside(record, test);
  const isDescribed =
    JSON.stringify([record.description, record.tags, record.metadata]) ===
    JSON.stringify([description, tags, metadata]);
  if (!isMoved) return isDescribed ? record : { ...record, description, tags, metadata };
  const findings = record.findings?.map((finding) => ofMovedRow(finding, record.row, row));
  return withPlaces({ ...record, line, column, row, description, tags, metadata, findings }, test);
}

function isElsewhere(recorded: Place | undefined, now: Place | undefined): boolean {
  return recorded?.file !== now?.file || recorded?.line !== now?.line || recorded?.column !== now?.column;
}

/** In a dataset, places inside of a line take time to compute. Nobody reads those of a test that passed. */
function hasMovedInside({ verdict, findings, steps, assertions }: AttemptRecord, test: Test): boolean {
  if (verdict === 'passed' && findings === undefined) return false;
  return (
    haveMoved(assertions, test.assertions) ||
    steps.some((step, index) => {
      const now = test.steps[index];
      return (
        now !== undefined && (step.line !== now.place.line || haveMoved(step.assertions, now.assertions))
      );
    })
  );
}

function haveMoved(recorded: readonly AssertionRecord[], now: readonly Assertion[]): boolean {
  return recorded.some(({ line, column }, index) => {
    const place = now[index]?.place;
    return place !== undefined && (place.line !== line || place.column !== column);
  });
}

function withPlaces(record: AttemptRecord, test: Test): AttemptRecord {
  const steps = record.steps.map((step, index) => {
    const now = test.steps[index];
    return now === undefined
      ? step
      : {
          ...step,
          line: now.place.line,
          column: step.column === undefined ? undefined : now.place.column,
          assertions: placedAssertions(step.assertions, now.assertions),
        };
  });
  const assertions = placedAssertions(record.assertions, test.assertions);
  const findings = record.findings?.map((finding) => placedFinding(finding, test));
  return { ...record, steps, assertions, findings };
}

/** The assertions of an unchanged test are the same ones in the same order. An attempt that broke off has none. */
function placedAssertions(
  recorded: readonly AssertionRecord[],
  now: readonly Assertion[],
): readonly AssertionRecord[] {
  if (recorded.length !== now.length) return recorded;
  return recorded.map((assertion, index) => ({ ...assertion, ...plain(now[index]!.place) }));
}

/** A finding of an attempt is about one of its steps, or about an assertion, which its path names. */
function placedFinding(finding: Finding, test: Test): Finding {
  const step = /^steps\[(\d+)\]$/.exec(finding.path);
  const assertions = [...test.steps.flatMap((each) => each.assertions), ...test.assertions];
  const named = assertions.filter(({ name }) => name === finding.path);
  const place = step === null ? named.length === 1 && named[0]!.place : test.steps[Number(step[1])]?.place;
  return place ? { ...finding, ...plain(place) } : finding;
}

/** Fields by name: places may be looked up when they are read, so there is nothing to spread. */
function plain({ file, line, column }: Place): Place {
  return { file, line, column };
}
