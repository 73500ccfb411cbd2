import { refuseDamaged } from '../../runs/journal/check-run.ts';
import { readJournal } from '../../runs/journal/journal-reader.ts';
import { readLineAt } from '../../runs/journal/record-file.ts';
import type { RunDirectory } from '../../runs/journal/run-directory.ts';
import { currentLabels, type CurrentLabel } from '../../runs/labels/current-labels.ts';
import { readLabels } from '../../runs/labels/label-file.ts';
import { recordHash } from '../../runs/labels/record-hash.ts';
import type { AssertionRecord, AttemptRecord } from '../../base/model/record.ts';
import type { CheckedExample } from './check-examples.ts';
import { createCheckReport, type CheckReport } from './check-report.ts';

/** How well the judges of a run agree with the people who labelled its results. */
export interface RunJudges {
  readonly run_id: string;
  /** How many results have a label. */
  readonly labels: number;
  /** Labels of answers that the run no longer has: they count nowhere. */
  readonly stale: number;
  /** Results on which people differ: the latest label counts. */
  readonly disputed: number;
  /** Lines of `labels.jsonl` that are not labels. */
  readonly unreadable: number;
  /** One for each judge, by its name in the suites, and one for the verdicts of the tests. */
  readonly reports: readonly CheckReport[];
}

/** What stands for the verdict of the whole attempt, beside the names of judges. */
const VERDICTS = 'the verdict of the test';

/** Or why nothing can be compared. Throws if the run is damaged: labels of missing records would count nowhere. */
export function checkRunJudges(run: RunDirectory): RunJudges | string {
  refuseDamaged(run);
  const { lines, unreadable } = readLabels(run.path);
  const current = currentLabels(lines);
  if (current.length === 0 && unreadable > 0)
    return `labels.jsonl of the run ${run.runId} has no label that can be read: is it a file, and yours?`;
  if (current.length === 0)
    return `the run ${run.runId} has no labels: add some with \`assay view ${run.runId} --labels\``;
  const byAttempt = new Map<string, CurrentLabel[]>();
  for (const label of current) byAttempt.set(label.id, [...(byAttempt.get(label.id) ?? []), label]);
  const latest = new Map<string, { readonly record: AttemptRecord; readonly hash: string }>();
  for (const { record, offset, length } of readJournal(run.journalPath))
    if (byAttempt.has(record.id))
      latest.set(record.id, { record, hash: recordHash(readLineAt(run.journalPath, { offset, length })) });
  const examples = new Map<string, CheckedExample[]>([[VERDICTS, []]]);
  const counts = { labels: 0, stale: 0, disputed: 0 };
  for (const [id, all] of byAttempt) {
    const found = latest.get(id);
    const labels = all.filter(({ record }) => record === found?.hash);
    counts.stale += all.length - labels.length;
    const last = labels.at(-1);
    if (found === undefined || last === undefined) continue;
    counts.labels++;
    if (labels.some(({ label }) => label !== last.label)) counts.disputed++;
    addExamples(examples, found.record, last);
  }
  if (counts.labels === 0)
    return `all labels of the run ${run.runId} are about answers that it no longer has: label it again`;
  const { labels, stale, disputed } = counts;
  const reports = [...examples].toReversed().map(([name, results]) => createCheckReport(name, results));
  return { run_id: run.runId, labels, stale, disputed, unreadable, reports };
}

function addExamples(
  examples: Map<string, CheckedExample[]>,
  record: AttemptRecord,
  { label }: CurrentLabel,
): void {
  const { id, line, verdict, score, error } = record;
  const isRight = label === 'right';
  const about = { id, line, label: Number(isRight) };
  const add = (name: string, example: CheckedExample): void => {
    const list = examples.get(name);
    if (list === undefined) examples.set(name, [example]);
    else list.push(example);
  };
  if (verdict === 'passed' || verdict === 'failed') {
    const passes = verdict === 'passed';
    const message = `the test ${verdict}`;
    add(VERDICTS, {
      ...about,
      label_passes: isRight,
      score: score ?? Number(passes),
      passes,
      votes: [passes],
      message,
    });
  } else add(VERDICTS, { ...about, error: error?.message ?? `the test was not measured (${verdict})` });
  for (const judged of judgesOf(record)) {
    const { name, passed, message } = judged;
    add(
      name,
      passed === undefined
        ? { ...about, error: judged.error?.message ?? message }
        : {
            ...about,
            label_passes: isRight,
            score: judged.score ?? Number(passed),
            passes: passed,
            votes: [passed],
            message,
          },
    );
  }
}

/** The assertions for which a model was asked; of several with one name, the worst: failed, then not measured. */
function judgesOf({ steps, assertions }: AttemptRecord): readonly AssertionRecord[] {
  const byName = new Map<string, AssertionRecord>();
  for (const one of [...steps.flatMap((step) => step.assertions), ...assertions]) {
    if (one.judge_calls === undefined && !JUDGES.has(one.kind)) continue;
    const known = byName.get(one.name);
    if (known === undefined || badness(one) > badness(known)) byName.set(one.name, one);
  }
  return [...byName.values()];
}

function badness({ passed }: AssertionRecord): number {
  return passed === undefined ? 1 : passed ? 0 : 2;
}

const JUDGES: ReadonlySet<string> = new Set(['llm_judge', 'code_judge']);
