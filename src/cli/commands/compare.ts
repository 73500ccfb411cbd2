import { compareNamed, type NamedSides } from '../../api/compare/compare.ts';
import { NotComparable } from '../../api/baseline/compared-side.ts';
import { comparisonExit } from '../../api/baseline/comparison-exit.ts';
import { DEFAULT_ALPHA } from '../../api/baseline/run-baseline.ts';
import { DamagedRun } from '../../runs/journal/damaged-run.ts';
import { JournalVersionError } from '../../runs/journal/line-opener.ts';
import { findRun, listRuns } from '../../runs/journal/run-directory.ts';
import { findProjectRoot } from '../../suites/load/project-root.ts';
import type { Comparison, RegressionRule } from '../../base/model/comparison.ts';
import { chooseColors } from '../../show/reporters/colors.ts';
import { comparisonMarkdown } from '../../show/reporters/comparison-markdown.ts';
import { comparisonText } from '../../show/reporters/comparison-text.ts';
import { EXIT, type CommandContext } from '../command.ts';
import type { COMPARE_OPTIONS } from '../recorded-run-options.ts';
import { printError } from '../print-error.ts';
import { explainStop } from '../explain-stop.ts';
import { learnSecrets } from '../learn-secrets.ts';

/** `assay compare BEFORE [AFTER]`: what changed, and how much of it may be chance. */
export async function compare(context: CommandContext<typeof COMPARE_OPTIONS>): Promise<number> {
  const { stdout, stderr } = context;
  await learnSecrets(context);
  const read = readOptions(context);
  if ('problem' in read) {
    await printError(stderr, `${read.problem}\n  hint: \`assay compare --help\` lists the options`);
    return EXIT.invalid;
  }
  try {
    const { before, after, targets } = read;
    const sides = { before, after, targets, projectRoot: findProjectRoot(process.cwd()) };
    // Who names both sides means them.
    const same = context.positionals.length > 1 || targets !== undefined ? undefined : sameRun(sides);
    if (same !== undefined) {
      await printError(stderr, same);
      return EXIT.invalid;
    }
    const { comparison, extent, unfinished } = compareNamed(sides, read);
    for (const why of unfinished) await printError(stderr, `${why}; only its recorded attempts are compared`);
    await stdout.write(print(comparison, context));
    return comparisonExit(comparison, extent);
  } catch (error) {
    if (!EXPECTED.some((kind) => error instanceof kind)) throw error;
    await printError(stderr, explainStop(error)!);
    return EXIT.invalid;
  }
}

/** The latest run is the second side by default. A run is equal to itself: that would be green, and mean nothing. */
function sameRun({ before, after, projectRoot }: NamedSides): string | undefined {
  const [first, second] = [before, after].map((name) => findRun(projectRoot, name));
  if (first === undefined || first.path !== second?.path) return undefined;
  const earlier = listRuns(projectRoot).filter(({ runId }) => runId !== first.runId);
  const hint =
    earlier.length === 0
      ? 'there is only one run: make another one first'
      : `name an earlier run: assay compare ${earlier.at(-1)!.runId} ${first.runId}`;
  return `both sides are the run ${first.runId}: there is nothing to compare\n  hint: ${hint}`;
}

const EXPECTED = [NotComparable, DamagedRun, JournalVersionError];

function print(
  comparison: Comparison,
  { options, stdout, env }: CommandContext<typeof COMPARE_OPTIONS>,
): string {
  if (options.json) return `${JSON.stringify(comparison, null, 2)}\n`;
  if (options.markdown) return comparisonMarkdown(comparison);
  return comparisonText(comparison, chooseColors({ isTTY: stdout.isTTY, env }));
}

interface CompareArguments {
  readonly before: string;
  readonly after: string;
  readonly targets: readonly string[] | undefined;
  readonly rule: RegressionRule;
  readonly alpha: number;
}

function readOptions({
  positionals,
  options,
}: CommandContext<typeof COMPARE_OPTIONS>): CompareArguments | { readonly problem: string } {
  const targets = options.targets?.split(',').map((name) => name.trim());
  if (targets !== undefined && (targets.length > 2 || targets.includes('')))
    return { problem: '--targets takes one target, or two: before,after' };
  // Two targets of one run are compared with each other.
  const isWithin = targets?.length === 2 && positionals.length < 2;
  const [before = isWithin ? 'latest' : undefined, after = isWithin ? before : 'latest', ...more] =
    positionals;
  if (before === undefined || after === undefined || more.length > 0)
    return { problem: 'compare takes two runs or baseline files: before and after (default: latest)' };
  if (options.json && options.markdown) return { problem: '--json and --markdown cannot be used together' };
  return {
    before,
    after,
    targets,
    rule: options['fail-on'] ?? 'regression',
    alpha: options.alpha ?? DEFAULT_ALPHA,
  };
}
