import { relative, resolve } from 'node:path';
import { hashFile } from '../../base/files/hash-file.ts';
import { createRedactor } from '../../base/match/redact-secrets.ts';
import { hasErrors, type Finding } from '../../base/model/finding.ts';
import { keepHeapSmall } from '../../base/system/small-heap.ts';
import { monotonicMs, timestamp } from '../../base/system/system-time.ts';
import { version } from '../../base/system/version.ts';
import type { Recording, RecordingProblem } from '../../evidence/recordings/recording.ts';
import { RECORDING_FORMATS } from '../../evidence/recordings/registry.ts';
import { Tally } from '../../run/verdicts/tally.ts';
import { createRunDirectory } from '../../runs/journal/run-directory.ts';
import type { Reporter } from '../../show/reporters/reporter.ts';
import { withDotEnv } from '../../suites/config/dot-env.ts';
import { fileFinding } from '../../suites/load/read-suite-file.ts';
import { createReporterMultiplexer } from '../basics/reporter-multiplexer.ts';
import type { RunResult } from '../basics/run-options.ts';
import { importedRecord } from './imported-record.ts';
import { readValues } from './read-values.ts';
import { groupFiles, listFiles, nameOf, type RecordingGroup } from './recording-files.ts';
import { UnreadParts } from './unread-parts.ts';

export interface ImportOptions {
  /** Files and folders. */
  readonly paths: readonly string[];
  readonly projectRoot: string;
  /** The name of a format; by default the content tells. */
  readonly from?: string | undefined;
  readonly name?: string | undefined;
  readonly reporters?: readonly Reporter[];
  readonly signal?: AbortSignal | undefined;
}

/** Makes a run of what agents did elsewhere. Its attempts have no verdicts. */
export async function importRecordings({
  paths,
  projectRoot,
  from,
  name,
  reporters = [],
  signal,
}: ImportOptions): Promise<Omit<RunResult, 'records'>> {
  keepHeapSmall();
  const startMs = monotonicMs();
  const allFindings: Finding[] = [];
  const emit = createReporterMultiplexer([
    ...reporters,
    { onFinding: (finding) => void allFindings.push(finding) },
  ]);
  const redactor = createRedactor(withDotEnv(projectRoot, process.env));
  const early: Finding[] = [];
  const problem = (file: string, { line, code, message, hint }: RecordingProblem): Finding => ({
    ...fileFinding(relative('', file) || file, code, message, hint),
    line,
    severity: WARNINGS.has(code) ? 'warning' : 'error',
  });
  const files = listFiles(paths, (file, found) => early.push(problem(file, found)));
  const named = new Set(paths);
  const format = RECORDING_FORMATS.find((each) => each.name === from);
  const groups = await groupFiles(files, {
    from: format,
    isNamed: (file) => named.has(file),
    report: (file, found) => early.push(problem(file, found)),
  });
  const importedAt = timestamp();
  const directory = createRunDirectory(projectRoot, (run_id) => ({
    run_id,
    started_at: importedAt,
    files: groups.map(({ file }) => ({
      file: redactor.text(relative(projectRoot, resolve(file))),
      hash: hashFile(file),
    })),
    cwd: relative(projectRoot, process.cwd()),
    options: {
      imported: true,
      ...(name === undefined ? {} : { name }),
      ...(from === undefined ? {} : { from }),
    },
    versions: { assay: version, node: process.version },
  }));
  const journal = directory.openJournal({ onError: () => {} });
  const tally = new Tally();
  emit('onRunStart', { run_id: directory.runId, name, agents: [], cwd: process.cwd() });
  const find = (finding: Finding): void => emit('onFinding', redactor.value(finding));
  for (const finding of early) find(finding);
  const repeats = new Repeats();
  for (const group of groups) {
    const file = relative('', group.file) || group.file;
    let problems = 0;
    const report = (found: RecordingProblem, of = group.file): void => {
      // A file of noise has as many problems as lines.
      if (found.code !== 'invalid_json' || ++problems <= MOST_PROBLEMS) find(problem(of, found));
    };
    for await (const recording of recordingsOf(group, report)) {
      const { record, isOnly } = repeats.place(recording, { file, format: group.format.name, importedAt });
      const shown = redactor.value(record);
      journal.append(shown);
      tally.add(shown, isOnly ? 1 : Infinity);
      for (const finding of shown.findings ?? []) emit('onFinding', finding);
      emit('onResult', shown);
      await emit.settled();
    }
    const more = problems - MOST_PROBLEMS;
    if (more > 0)
      find(
        problem(group.file, { code: 'invalid_json', message: `${more} more problems like these`, line: 1 }),
      );
    if (signal?.aborted === true) break;
  }
  journal.close();
  const interrupted = signal?.aborted === true;
  const summary = tally.summary({ durationMs: monotonicMs() - startMs, interrupted });
  const findings = allFindings.filter(({ severity, code }) => severity === 'error' || WARNINGS.has(code));
  if (summary.attempts === 0 && !hasErrors(findings))
    find(
      fileFinding(
        paths.join(' '),
        'no_recordings',
        'nothing was imported: there is no recording in these files',
      ),
    );
  const exit_code = interrupted ? 130 : summary.attempts === 0 ? 2 : 0;
  const tests = tally.tests();
  directory.end({ run_id: directory.runId, exit_code, summary, tests: [], findings, journal: journal.seal });
  directory.unlock();
  await emit.end({ summary, tests, exit_code, directory: directory.path });
  return { run_id: directory.runId, exit_code, summary, tests, findings: allFindings };
}

const MOST_PROBLEMS = 50;

const WARNINGS: ReadonlySet<string> = new Set([
  'unknown_part',
  'missing_recording',
  'long_recording',
  'other_file',
]);

async function* recordingsOf(
  { format, file, parts }: RecordingGroup,
  report: (problem: RecordingProblem, of?: string) => void,
): AsyncGenerator<Recording> {
  const reader = format.open({ name: nameOf(file), report });
  const unread = new UnreadParts();
  const reportOf =
    (of: string) =>
    (found: RecordingProblem): void => {
      unread.note(found, { isMain: of === file });
      report(found, of);
    };
  for (const part of parts)
    for await (const batch of readValues(part, reportOf(part)))
      for (const { value, line } of batch) reader.addPart?.(value, line);
  let count = 0;
  for await (const batch of readValues(file, reportOf(file)))
    for (const { value, line } of batch) {
      unread.read(line);
      for (const recording of reader.add(value, line) ?? []) {
        count++;
        yield format.isSpread === true ? unread.mark(recording) : recording;
      }
    }
  for (const recording of reader.end()) {
    count++;
    yield unread.mark(recording);
  }
  if (count === 0)
    report({
      code: 'no_recordings',
      message: `this is ${format.title}, but it has no messages`,
      line: 1,
    });
}

/** Two recordings of one test and target are repeats of it. */
class Repeats {
  private readonly taken = new Map<string, number>();

  place(
    recording: Recording,
    from: { readonly file: string; readonly format: string; readonly importedAt: string },
  ): { readonly record: ReturnType<typeof importedRecord>; readonly isOnly: boolean } {
    // An id that is made of the number of the line is the only one.
    const isOwn = recording.repeat === undefined && recording.id.endsWith(`:${recording.line}`);
    if (isOwn) return { record: importedRecord(recording, { ...from, repeat: 1 }), isOnly: true };
    const key = `${from.file}\0${recording.id}\0${recording.target}`;
    const last = this.taken.get(key) ?? 0;
    const repeat = recording.repeat !== undefined && recording.repeat > last ? recording.repeat : last + 1;
    this.taken.set(key, repeat);
    return { record: importedRecord(recording, { ...from, repeat }), isOnly: false };
  }
}
