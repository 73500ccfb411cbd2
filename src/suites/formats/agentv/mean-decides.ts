import type { AssertionKinds } from '../../../checks/contract/assertion-kinds.ts';
import type { EvaluatorKind } from '../../../checks/contract/evaluator-kind.ts';
import type { Assertion } from '../../../base/model/assertion.ts';
import type { Finding } from '../../../base/model/finding.ts';
import type { JsonObject } from '../../../base/model/json.ts';
import type { Test } from '../../../base/model/test.ts';
import { DEFAULT_THRESHOLD, reaches } from '../../../base/model/threshold.ts';
import type { Reader } from '../../../base/schema/reader.ts';
import type { AgentvRelease } from '../templates/row-files.ts';

/** In AgentV's own files the mean of the evaluators alone decides, as it does there. A claim that may break unnoticed gets a warning. */
export class AgentvVerdicts {
  private readonly kinds: AssertionKinds;
  private readonly project: () => AgentvRelease | undefined;
  private readonly warned = new Set<string>();
  private isMeaningTold = false;

  constructor(kinds: AssertionKinds, project: () => AgentvRelease | undefined = () => undefined) {
    this.kinds = kinds;
    this.project = project;
  }

  apply(test: Test, reader: Reader): Test {
    const lists = [...test.steps.map((step) => step.assertions), test.assertions];
    const hasClaims = lists.some((list) => list.some(isFullClaim));
    const other = reader.isAgentv || this.isMeaningTold ? undefined : this.findOtherMeaning(lists.flat());
    if ((!hasClaims && other === undefined) || (!reader.isAgentv && this.project() === undefined))
      return test;
    if (other !== undefined) {
      this.isMeaningTold = true;
      reader.findings.push(otherMeaning(other, this.meaningOf(other)!));
    }
    if (!hasClaims) return test;
    if (test.threshold === undefined) for (const list of lists) this.warn(list, reader);
    return {
      ...test,
      steps: test.steps.map((step) => ({ ...step, assertions: step.assertions.map(asScore) })),
      assertions: test.assertions.map(asScore),
    };
  }

  /** An evaluator of texts that AgentV 4 would read otherwise. */
  private findOtherMeaning(list: readonly Assertion[]): Assertion | undefined {
    return list.find((assertion) => {
      const meaning = this.meaningOf(assertion) ?? {};
      const isOfTexts = Object.keys(meaning).some((name) => name !== 'share');
      return isOfTexts && Object.keys(meaning).every((name) => assertion.parameters[name] === undefined);
    });
  }

  private meaningOf(assertion: Assertion): JsonObject | undefined {
    return assertion.form === 'claim' ? undefined : (this.kinds.of(assertion) as EvaluatorKind)?.inAgentv;
  }

  private warn(list: readonly Assertion[], reader: Reader): void {
    const total = list.reduce((sum, { form, weight }) => sum + (form === 'evaluator' ? weight : 0), 0);
    for (const assertion of list.filter(isFullClaim)) {
      const { partialScore } = this.kinds.of(assertion) as EvaluatorKind;
      const lost = (assertion.weight / total) * (1 - partialScore!(assertion.parameters));
      const finding = partialCredit(assertion);
      const key = `${finding.file} ${finding.line} ${finding.column}`;
      if (!reaches(1 - lost, DEFAULT_THRESHOLD) || this.warned.has(key)) continue;
      this.warned.add(key);
      reader.findings.push(finding);
    }
  }
}

function isFullClaim({ needsFullScore }: Assertion): boolean {
  return needsFullScore === true;
}

function asScore(assertion: Assertion): Assertion {
  return isFullClaim(assertion) ? { ...assertion, needsFullScore: undefined } : assertion;
}

function otherMeaning({ kind, name, place }: Assertion, meaning: JsonObject): Finding {
  const written = Object.entries(meaning)
    .map(([key, value]) => `${key}: ${String(value)}`)
    .join(', ');
  return {
    severity: 'warning',
    code: 'agentv_meaning',
    message: `\`${kind}\` means something else in AgentV 4 and newer, and nothing in this file says that it is written for them`,
    hint: `to compare as they do, write \`${written}\`; the same holds for the other evaluators of texts in this file`,
    file: place.file,
    line: place.line,
    column: place.column,
    path: name,
  };
}

function partialCredit({ name, place }: Assertion): Finding {
  return {
    severity: 'warning',
    code: 'partial_credit',
    message: `\`${name}\` may fail in part and the test still passes: in files of AgentV the mean alone decides`,
    hint: 'set `required: 1` to demand all of it, or `partial_credit: true` or a `threshold` if this is meant',
    file: place.file,
    line: place.line,
    column: place.column,
    path: name,
  };
}
