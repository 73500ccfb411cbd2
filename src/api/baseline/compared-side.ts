import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { parseBaseline } from '../../runs/compare/baseline-text.ts';
import type { ComparedSide } from '../../runs/compare/compare-runs.ts';
import { ComparedFold, type RunSide } from '../../runs/compare/run-side.ts';
import { readCheckedOutlines } from '../../runs/journal/check-run.ts';
import { findRun, type RunDescription, type RunDirectory } from '../../runs/journal/run-directory.ts';
import { rulesOfRun } from '../../runs/journal/run-rules.ts';
import type { RecordOutline } from '../../base/model/record.ts';
import { isLinkOutOfProject } from '../../suites/load/project-root.ts';

/** Something to compare that does not exist, or is neither a run nor a baseline. */
export class NotComparable extends Error {}

/** The content of a run or a baseline file. */
export interface OpenedSide {
  readonly side: ComparedSide;
  /** Only for a run. */
  readonly directory?: RunDirectory | undefined;
}

/** A run by its id, the start of its id, its folder or `latest`; or a baseline file by its path. */
export function openSide(name: string, projectRoot: string): OpenedSide {
  if (statSync(name, { throwIfNoEntry: false })?.isFile() === true) return { side: readBaseline(name) };
  const directory = name === '' ? undefined : findRun(projectRoot, name);
  if (directory === undefined)
    throw new NotComparable(
      `there is no run or baseline file "${name}"\n  hint: runs are in .assay/runs, and \`latest\` is the last one; \`assay baseline update\` writes a baseline`,
    );
  return { side: readRun(directory, readCheckedOutlines(directory)), directory };
}

function readBaseline(path: string): ComparedSide {
  if (isLinkOutOfProject(path))
    throw new NotComparable(
      `${path} is a link out of the project, so Assay does not follow it\n  hint: name the file it points to`,
    );
  const baseline = parseBaseline(readFileSync(path, 'utf8'));
  if ('problem' in baseline)
    throw new NotComparable(
      `${path} cannot be read as a baseline: ${baseline.problem}\n  hint: a baseline is a file that \`assay baseline update\` wrote`,
    );
  return baseline;
}

/** The results of a recorded run, with file names relative to its project. */
export function readRun(directory: RunDirectory, outlines: Iterable<RecordOutline>): RunSide {
  const fold = new ComparedFold(fromProject(directory.description()), rulesOfRun(directory));
  for (const outline of outlines) fold.addRecord(outline);
  return fold.side(directory.runId);
}

/**
 * Runs are started in any folder of a project, and copied from one machine to another. File names in records are
 * relative to the folder of the run's start; a file with an absolute path is looked up among the files of the run.
 */
function fromProject(description: RunDescription | undefined): (file: string) => string {
  const folder = description?.cwd ?? '';
  const files = description?.files.map(({ file }) => file) ?? [];
  return (file) =>
    isAbsolute(file) ? (files.find((own) => file.endsWith(`/${own}`)) ?? file) : join(folder, file);
}
