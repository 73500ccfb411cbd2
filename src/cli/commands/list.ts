import type { RunOptions } from '../../api/run.ts';
import { selectSuites } from '../../api/select-suites.ts';
import { chooseColors } from '../../reporters/colors.ts';
import { findingText } from '../../reporters/finding-text.ts';
import { escapeLine, escapeShortLine } from '../../reporters/terminal-text.ts';
import { hasErrors } from '../../model/finding.ts';
import { planTests } from '../../run/plan.ts';
import { EXIT, type CommandContext } from '../command.ts';
import { readExcerpt } from '../excerpt.ts';

/** `assay run --list`: the tests a run would run, a line each. */
export async function listTests(
  options: RunOptions,
  { stdout, stderr, env, redactor }: CommandContext,
): Promise<number> {
  const { suites, selection, findings } = await selectSuites(options);
  const colors = chooseColors({ isTTY: stdout.isTTY, env });
  let count = 0;
  for await (const { suite, test } of planTests(suites, selection)) {
    count++;
    const title =
      test.description === undefined
        ? ''
        : ` ${colors.dim(escapeShortLine(test.description.replaceAll(/\s+/g, ' ')))}`;
    const place = escapeLine(`${suite.file}:${test.place.line}`);
    await stdout.write(redactor.text(`${place} ${escapeLine(test.id)}${title}\n`));
  }
  for (const finding of findings)
    await stderr.write(
      `${findingText(finding, readExcerpt(finding), chooseColors({ isTTY: stderr.isTTY, env }))}\n\n`,
    );
  if (hasErrors(findings)) return EXIT.invalid;
  return count === 0 && options.passWithNoTests !== true ? EXIT.invalid : EXIT.ok;
}
