import type { AssertionKinds } from '../../../checks/contract/assertion-kinds.ts';
import { membersOf, type Assertion } from '../../../base/model/assertion.ts';
import type { Finding } from '../../../base/model/finding.ts';
import { isJsonList, isJsonObject, type Json } from '../../../base/model/json.ts';
import { ofRow } from '../../../base/model/row-finding.ts';
import type { Test } from '../../../base/model/test.ts';
import type { Reader } from '../../../base/schema/reader.ts';

/** Braces that nothing fills in, and checks that an empty cell of a row leaves without a text. */
export function checkFilled(test: Test, reader: Reader, kinds: AssertionKinds): void {
  // A setup may print what fills them.
  const isFilled = (test.vars ?? test.workspace?.setup ?? test.workspace?.prepare) !== undefined;
  if (isFilled && test.row === undefined) return;
  const check = (assertion: Assertion): void => {
    for (const member of membersOf(assertion)) check(member);
    // The prompts of judges have variables of their own.
    if (assertion.nests !== undefined || kinds.of(assertion)?.oracle === undefined) return;
    const values = Object.values(assertion.parameters);
    if (!isFilled && values.some((value) => hasText(value, (text) => BRACES.test(text))))
      report(reader, assertion, {
        severity: 'warning',
        code: 'unfilled_braces',
        message: `the braces in \`${assertion.name}\` are plain text: neither \`vars\` nor \`each\` applies to this test`,
        hint: 'add `vars` or `each` to the test, or remove the braces',
      });
    if (test.row !== undefined && values.includes(''))
      reader.findings.push(
        ofRow(
          place(assertion, {
            severity: 'error',
            code: 'empty_cell',
            message: `\`${assertion.name}\` compares with an empty text in this row`,
            hint: 'fill in the cell, or remove the row',
          }),
          test.row,
        ),
      );
  };
  for (const step of test.steps) for (const assertion of step.assertions) check(assertion);
  for (const assertion of test.assertions) check(assertion);
}

const BRACES = /\{\{\s*[\w.-]+\s*\}\}/;

function hasText(value: Json, isSo: (text: string) => boolean): boolean {
  if (typeof value === 'string') return isSo(value);
  if (isJsonList(value)) return value.some((item) => hasText(item, isSo));
  return isJsonObject(value) && Object.values(value).some((item) => hasText(item, isSo));
}

type Said = Pick<Finding, 'severity' | 'code' | 'message' | 'hint'>;

function place({ place: { file, line, column }, name }: Assertion, said: Said): Finding {
  return { ...said, file, line, column, path: name };
}

/** Evaluators of the whole file are in many tests. */
function report(reader: Reader, assertion: Assertion, said: Said): void {
  const finding = place(assertion, said);
  const isKnown = reader.findings.some(
    ({ code, line, column }) => code === said.code && line === finding.line && column === finding.column,
  );
  if (!isKnown) reader.findings.push(finding);
}
