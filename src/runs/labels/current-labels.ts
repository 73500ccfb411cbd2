import type { LabelLine, LabelValue } from '../../base/model/label.ts';

export interface CurrentLabel extends LabelLine {
  readonly label: LabelValue;
}

/** What each person says last about each record, without what they took back. The latest last. */
export function currentLabels(lines: readonly LabelLine[]): readonly CurrentLabel[] {
  const last = new Map<string, LabelLine>();
  for (const line of lines) {
    const key = JSON.stringify([line.id, line.record, line.by]);
    // Deleted first, so that the order is that of the last words.
    last.delete(key);
    last.set(key, line);
  }
  return [...last.values()].filter((line): line is CurrentLabel => line.label !== null);
}
