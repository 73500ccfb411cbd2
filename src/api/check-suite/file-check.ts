import type { Finding } from '../../base/model/finding.ts';
import { ofRow } from '../../base/model/row-finding.ts';
import type { Test } from '../../base/model/test.ts';
import { placedAssertions } from './assertion-results.ts';
import { toCheckable, type CheckableTest } from './checkable-test.ts';
import { SameTests } from './weaknesses/same-tests.ts';
import { OddNames } from './weaknesses/odd-names.ts';
import type { KnownProblems } from './load-problems.ts';
import { NOT_CHECKED, type NotCheckedCounter } from './not-checked.ts';
import { oddName, sameTest, sharedQuestion, tooFar } from './suite-findings.ts';
import { outOfReach } from './weaknesses/out-of-reach.ts';
import { SameQuestions } from './weaknesses/same-questions.ts';
import { TestCheck, type GradeReplies } from './test-check.ts';
import { testWeaknesses, type WeaknessOptions } from './test-weaknesses.ts';
import type { RequirementsOf } from './requirements-of.ts';

export interface FileCheckTools {
  readonly known: KnownProblems;
  readonly notChecked: NotCheckedCounter;
  readonly weaknesses: WeaknessOptions;
  readonly wantedBy: RequirementsOf;
  readonly grade: GradeReplies;
}

export interface CheckedInFile {
  readonly findings: readonly Finding[];
  /** Undefined if no test is being checked. */
  readonly isChecked?: boolean;
  readonly assertions: number;
  readonly replies: number;
}

/** Checks the tests of one file, one after the other, and what only shows across several of them. */
export class FileCheck {
  readonly file: string;
  private readonly tools: FileCheckTools;
  private readonly sameTests = new SameTests();
  private readonly questions: SameQuestions;
  private readonly names = new OddNames();
  private readonly reported = new Set<string>();

  constructor(file: string, tools: FileCheckTools) {
    this.file = file;
    this.tools = tools;
    this.questions = new SameQuestions(tools.wantedBy);
  }

  async check(test: Test): Promise<CheckedInFile> {
    const { notChecked, wantedBy, weaknesses, grade } = this.tools;
    const checkable = toCheckable(test, wantedBy, weaknesses.kinds);
    const line = this.sameTests.lineOfSame(checkable);
    this.names.add(test, placedAssertions(checkable));
    for (const assertion of checkable.judged)
      notChecked.add(test, assertion, weaknesses.kinds.of(assertion)?.unchecked ?? NOT_CHECKED.judged);
    const known = [
      ...testWeaknesses(test, weaknesses),
      ...outOfReach(checkable).map((found) => tooFar(test, found)),
    ];
    const shared = this.questions.add(checkable);
    if (line !== undefined) known.push(sameTest(test, line));
    else if (shared !== undefined) known.push(sharedQuestion(test, shared));
    const assertions = [...checkable.steps.flat(), ...checkable.whole].length;
    if (assertions === 0)
      return { findings: this.unsaid(known, checkable), isChecked: false, assertions, replies: 0 };
    const { findings, unsatisfied, unbroken, replies } = await new TestCheck(
      checkable,
      this.file,
      grade,
    ).run();
    for (const { assertion } of unsatisfied) notChecked.add(test, assertion, NOT_CHECKED.unsatisfied);
    for (const { assertion } of unbroken) notChecked.add(test, assertion, NOT_CHECKED.unbroken);
    return {
      findings: this.unsaid([...findings, ...known], checkable),
      isChecked: [...checkable.judged, ...unsatisfied, ...unbroken].length === 0,
      assertions,
      replies,
    };
  }

  end(): CheckedInFile {
    return { findings: this.names.odd().map(oddName), assertions: 0, replies: 0 };
  }

  /** Evaluators of a whole file are in many tests: their own problems are reported once. */
  private unsaid(findings: readonly Finding[], { test, authored }: CheckableTest): readonly Finding[] {
    const places = [...test.steps.flatMap((step) => step.assertions), ...test.assertions].map(
      ({ place }) => place,
    );
    const isShared = ({ file, line, column }: Finding): boolean =>
      file !== authored.place.file ||
      line < authored.place.line ||
      (line === authored.place.line && column < authored.place.column);
    const unsaid = findings.filter((finding) => {
      if (finding.code === 'never_broken' && this.tools.known.isKnown(finding, places)) return false;
      if (!OF_ASSERTION.has(finding.code) || !isShared(finding)) return true;
      const key = `${finding.code} ${finding.file}:${finding.line}:${finding.column}`;
      if (this.reported.has(key)) return false;
      this.reported.add(key);
      return true;
    });
    return unsaid.map((finding) => ofRow(finding, authored.row));
  }
}

/** Problems of an assertion that do not depend on its test. */
const OF_ASSERTION = new Set(['never_broken', 'duplicate_check', 'outvoted', 'schema_keyword']);
