import { cohensKappa, type Confusion } from './cohens-kappa.ts';
import { wilsonInterval, type ShareInterval } from './wilson-interval.ts';

/** What a person said of an example, and what the judge said, once or several times. */
export interface RatedExample {
  readonly label: boolean;
  readonly verdict: boolean;
  /** Of each sample. */
  readonly votes: readonly boolean[];
}

export interface JudgeAgreement {
  readonly agreement: ShareInterval;
  readonly kappa: number | undefined;
  /** Of the examples that people pass, how many the judge passes. */
  readonly true_positive_rate: ShareInterval;
  /** Of the examples that people fail, how many the judge fails. */
  readonly true_negative_rate: ShareInterval;
  /** The share of samples that say what most samples of their example say; undefined for single samples. */
  readonly self_consistency: number | undefined;
  readonly confusion: Confusion;
}

/** How far a judge can be trusted to say what people say. */
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
