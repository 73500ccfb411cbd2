import { statSync } from 'node:fs';
import { checkRunJudges } from '../../api/check-judge/check-run-judges.ts';
import { findRun, type RunDirectory } from '../../runs/journal/run-directory.ts';
import { findProjectRoot } from '../../suites/load/project-root.ts';
import { DEFAULT_THRESHOLD } from '../../base/model/threshold.ts';
import { checkJudge, type CheckJudgeOptions } from '../../api/check-judge/check-judge.ts';
import { TargetError } from '../../suites/config/target-error.ts';
import { printStop } from '../print-stop.ts';
import { chooseColors } from '../../show/reporters/colors.ts';
import { EXIT, type Command, type CommandContext } from '../command.ts';
import type { JUDGE_CHECK_OPTIONS } from '../recorded-run-options.ts';
import { isCi } from '../is-ci.ts';
import { printError } from '../print-error.ts';
import { CassetteUsageError } from '../../api/basics/cassette-usage-error.ts';
import { FindingPrinter } from '../finding-printer.ts';
import { judgeCheckText, runJudgesText } from '../judge-check-text.ts';

/**
 * Compares a judge with people: how often it agrees with them on labelled examples. Disagreement is what this
 * measures, not a failure; an example without a verdict is one.
 */
export const judgeCheck: Command<typeof JUDGE_CHECK_OPTIONS> = async (context) => {
  const { stdout, stderr, options, env, redactor } = context;
  try {
    const asked = readOptions(context);
    const run = findLabelledRun(asked.file);
    if (run !== undefined) return await checkRun(run, context);
    const { report, findings } = await checkJudge(asked);
    await new FindingPrinter(stderr, context).printAll(findings);
    if (report === undefined) return EXIT.invalid;
    const colors = chooseColors({ isTTY: stdout.isTTY, env });
    await stdout.write(
      options.json
        ? `${JSON.stringify(redactor.value(report), null, 2)}\n`
        : redactor.text(judgeCheckText(report, colors)),
    );
    return report.errors > 0 ? EXIT.unmeasured : EXIT.ok;
  } catch (error) {
    const isKnown =
      error instanceof UsageProblem || error instanceof TargetError || error instanceof CassetteUsageError;
    if (!isKnown) return await printStop(error, stderr);
    await printError(stderr, error.message);
    return EXIT.invalid;
  }
};

/** The judges of a run, as they were recorded: no model is called. */
async function checkRun(
  run: RunDirectory,
  { stdout, options, env, redactor }: CommandContext<typeof JUDGE_CHECK_OPTIONS>,
): Promise<number> {
  const useless = (
    ['judge', 'prompt', 'samples', 'config', 'threshold', 'workers', 'no-cache', 'cassettes'] as const
  ).find((name) => options[name] !== undefined && options[name] !== false);
  if (useless !== undefined)
    throw new UsageProblem(
      `--${useless} is for asking a judge again, but a run is checked with the verdicts it recorded: remove the option, or give a file of examples`,
    );
  const checked = checkRunJudges(run);
  if (typeof checked === 'string') throw new UsageProblem(checked);
  const colors = chooseColors({ isTTY: stdout.isTTY, env });
  await stdout.write(
    options.json
      ? `${JSON.stringify(redactor.value(checked), null, 2)}\n`
      : redactor.text(runJudgesText(checked, colors)),
  );
  return checked.reports.some(({ errors }) => errors > 0) ? EXIT.unmeasured : EXIT.ok;
}

/** An existing file is a file of examples; anything else may name a run. */
function findLabelledRun(name: string): RunDirectory | undefined {
  if (isExistingFile(name)) return undefined;
  return findRun(findProjectRoot(process.cwd()), name);
}

/** A name that is too long for a file names none. */
function isExistingFile(name: string): boolean {
  try {
    return statSync(name).isFile();
  } catch {
    return false;
  }
}

/** An error that the user can fix. */
class UsageProblem extends Error {}

function readOptions({
  positionals,
  options,
  env,
}: CommandContext<typeof JUDGE_CHECK_OPTIONS>): CheckJudgeOptions {
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new UsageProblem(
      'judge-check takes one file of labelled examples (JSONL), or one run with labels\n  hint: assay judge-check labelled.jsonl; each line has an output and the verdict of a person',
    );
  return {
    file,
    judge: options.judge,
    config: options.config,
    prompt: options.prompt,
    samples: options.samples ?? 1,
    workers: options.workers ?? 8,
    threshold: options.threshold ?? DEFAULT_THRESHOLD,
    useCache: !options['no-cache'],
    cassettes: options.cassettes,
    ci: isCi(env),
    env,
  };
}
