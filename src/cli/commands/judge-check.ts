import { DEFAULT_THRESHOLD } from '../../model/threshold.ts';
import { checkJudge, type CheckJudgeOptions } from '../../api/check-judge/check-judge.ts';
import { TargetError } from '../../config/target-error.ts';
import { chooseColors } from '../../reporters/colors.ts';
import { findingText } from '../../reporters/finding-text.ts';
import { EXIT, type Command, type CommandContext } from '../command.ts';
import type { JUDGE_CHECK_OPTIONS } from '../options.ts';
import { printError } from '../print-error.ts';
import { readExcerpt } from '../../api/basics/excerpt.ts';
import { judgeCheckText } from '../judge-check-text.ts';

/**
 * Compares a judge with people: how often it agrees with them on labelled examples. Disagreement is what this
 * measures, not a failure; an example without a verdict is one.
 */
export const judgeCheck: Command<typeof JUDGE_CHECK_OPTIONS> = async (context) => {
  const { stdout, stderr, options, env, redactor } = context;
  try {
    const { report, findings } = await checkJudge(readOptions(context));
    const errorColors = chooseColors({ isTTY: stderr.isTTY, env });
    for (const finding of findings)
      await stderr.write(`${findingText(finding, readExcerpt(finding), errorColors)}\n\n`);
    if (report === undefined) return EXIT.invalid;
    const colors = chooseColors({ isTTY: stdout.isTTY, env });
    await stdout.write(
      options.json
        ? `${JSON.stringify(redactor.value(report), null, 2)}\n`
        : redactor.text(judgeCheckText(report, colors)),
    );
    return report.errors > 0 ? EXIT.unmeasured : EXIT.ok;
  } catch (error) {
    if (!(error instanceof UsageProblem) && !(error instanceof TargetError)) throw error;
    await printError(stderr, error.message);
    return EXIT.invalid;
  }
};

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
      'judge-check takes one file of labelled examples (JSONL)\n  hint: assay judge-check labelled.jsonl; each line has an output and the verdict of a person',
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
    env,
  };
}
