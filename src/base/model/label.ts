/** What a person says about an answer. */
export type LabelValue = 'right' | 'wrong';

/** A line of `labels.jsonl`. A later line of the same person about the same record replaces an earlier one. */
export interface LabelLine {
  /** The id of the attempt. */
  readonly id: string;
  /** A hash of the record: another answer of the same attempt is not labelled by this. */
  readonly record: string;
  /** Null: this person takes back what they said. */
  readonly label: LabelValue | null;
  readonly note?: string | undefined;
  /** Who. */
  readonly by: string;
  readonly at: string;
  /** The verdict was hidden. */
  readonly blind?: boolean | undefined;
}

/** What the page sends. `id` and `started_at` say which answer it showed. */
export interface NewLabel {
  readonly index: number;
  readonly id: string;
  readonly started_at: string;
  readonly label: LabelValue | null;
  readonly note?: string | undefined;
  readonly by?: string | undefined;
  readonly blind?: boolean | undefined;
}

/** A label with its record. */
export interface RecordLabel extends LabelLine {
  readonly label: LabelValue;
  /** The number of its record in the run; absent if the run has another answer of this attempt now. */
  readonly index?: number | undefined;
}

/** The labels of a run that hold. */
export interface RunLabels {
  readonly labels: readonly RecordLabel[];
  /** How many lines could not be read. */
  readonly unreadable: number;
  /** Who writes, if nobody says another name; absent if this server does not take labels. */
  readonly by?: string | undefined;
}
