import { DEFAULT_THRESHOLD } from '../../model/threshold.ts';
import { checkJudge, type CheckJudgeOptions } from '../../api/check-judge/check-judge.ts';
import { TargetError } from '../../config/target-error.ts';
import { chooseColors } from '../../reporters/colors.ts';
import { findingText } from '../../reporters/finding-text.ts';
import { EXIT, type Command, type CommandContext } from '../command.ts';
import { complain } from '../complain.ts';
import { readExcerpt } from '../excerpt.ts';
import { judgeCheckText } from '../judge-check-text.ts';

/**
 * Compares a judge with people: how often it says of labelled examples what they say. That they differ is what this
 * measures and no failure; an example without a verdict is.
 */
export const judgeCheck: Command = async (context) => {
  const { stdout, stderr, options, env, redactor } = context;
  try {
    const { report, findings } = await checkJudge(readOptions(context));
    const errorColors = chooseColors({ isTTY: stderr.isTTY, env });
    for (const finding of findings)
      await stderr.write(`${findingText(finding, readExcerpt(finding), errorColors)}\n\n`);
    if (report === undefined) return EXIT.invalid;
    const colors = chooseColors({ isTTY: stdout.isTTY, env });
    await stdout.write(
      options['json'] === true
        ? `${JSON.stringify(redactor.value(report), null, 2)}\n`
        : redactor.text(judgeCheckText(report, colors)),
    );
    return report.errors > 0 ? EXIT.unmeasured : EXIT.ok;
  } catch (error) {
    if (!(error instanceof UsageProblem) && !(error instanceof TargetError)) throw error;
    await complain(stderr, error.message);
    return EXIT.invalid;
  }
};

/** Something the person who called can put right. */
class UsageProblem extends Error {}

function readOptions({ positionals, options, env }: CommandContext): CheckJudgeOptions {
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new UsageProblem('judge-check takes one file of labelled examples (JSONL)');
  const text = (name: string): string | undefined => options[name] as string | undefined;
  const whole = (name: string, standard: number): number => {
    const value = text(name) ?? String(standard);
    if (!/^[1-9]\d*$/.test(value))
      throw new UsageProblem(`--${name} takes a whole number of at least 1, not "${value}"`);
    return Number(value);
  };
  const threshold = Number(text('threshold') ?? DEFAULT_THRESHOLD);
  if (!(threshold >= 0 && threshold <= 1)) throw new UsageProblem('--threshold takes a number from 0 to 1');
  return {
    file,
    judge: text('judge'),
    config: text('config'),
    prompt: text('prompt'),
    samples: whole('samples', 1),
    workers: whole('workers', 8),
    threshold,
    useCache: options['no-cache'] !== true,
    env,
  };
}
