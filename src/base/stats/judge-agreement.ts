import { cohensKappa, type Confusion } from './cohens-kappa.ts';
import { wilsonInterval, type ShareInterval } from './wilson-interval.ts';

/** A person's verdict on an example, and the judge's, once or several times. */
export interface RatedExample {
  readonly label: boolean;
  readonly verdict: boolean;
  /** One per sample. */
  readonly votes: readonly boolean[];
}

export interface JudgeAgreement {
  readonly agreement: ShareInterval;
  readonly kappa: number | undefined;
  /** The share of examples passed by people that the judge passes. */
  readonly true_positive_rate: ShareInterval;
  /** The share of examples failed by people that the judge fails. */
  readonly true_negative_rate: ShareInterval;
  /** The share of samples that agree with the majority of their example; undefined for single samples. */
  readonly self_consistency: number | undefined;
  readonly confusion: Confusion;
}

/** How well a judge agrees with people. */
export function judgeAgreement(examples: readonly RatedExample[]): JudgeAgreement {
  const count = (label: boolean, verdict: boolean): number =>
    examples.filter((example) => example.label === label && example.verdict === verdict).length;
  const confusion = {
    true_positive: count(true, true),
    false_positive: count(false, true),
    false_negative: count(true, false),
    true_negative: count(false, false),
  };
  const { true_positive, false_positive, false_negative, true_negative } = confusion;
  return {
    agreement: wilsonInterval(true_positive + true_negative, examples.length),
    kappa: cohensKappa(confusion),
    true_positive_rate: wilsonInterval(true_positive, true_positive + false_negative),
    true_negative_rate: wilsonInterval(true_negative, true_negative + false_positive),
    self_consistency: selfConsistency(examples),
    confusion,
  };
}

function selfConsistency(examples: readonly RatedExample[]): number | undefined {
  const repeated = examples.filter(({ votes }) => votes.length > 1);
  if (repeated.length === 0) return undefined;
  const shares = repeated.map(({ votes }) => {
    const passes = votes.filter(Boolean).length;
    return Math.max(passes, votes.length - passes) / votes.length;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
