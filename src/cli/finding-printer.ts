import { readExcerpt } from '../api/basics/excerpt.ts';
import type { Finding } from '../base/model/finding.ts';
import { chooseColors, type Colors } from '../show/reporters/colors.ts';
import { FindingGroups, hiddenText } from '../show/reporters/finding-groups.ts';
import { findingText } from '../show/reporters/finding-text.ts';
import type { CommandContext, Output } from './command.ts';

/** Prints findings for people, as they come: few of one kind in one file, and how many more there are. */
export class FindingPrinter {
  private readonly output: Output;
  private readonly redact: (text: string) => string;
  private readonly colors: Colors;
  private readonly groups = new FindingGroups();
  private file: string | undefined;

  constructor(output: Output, { env, redactor }: Pick<CommandContext, 'env' | 'redactor'>) {
    this.output = output;
    this.redact = (text) => redactor.text(text);
    this.colors = chooseColors({ isTTY: output.isTTY, env });
  }

  async print(finding: Finding, excerpt?: ReturnType<typeof readExcerpt>): Promise<void> {
    if (finding.file !== this.file) await this.end();
    this.file = finding.file;
    if (!this.groups.take(finding)) return;
    await this.write(findingText(finding, excerpt ?? readExcerpt(finding), this.colors));
  }

  async printAll(findings: readonly Finding[]): Promise<void> {
    for (const finding of findings) await this.print(finding);
    await this.end();
  }

  async end(): Promise<void> {
    for (const hidden of this.groups.hidden()) await this.write(hiddenText(hidden, this.colors));
  }

  private async write(text: string): Promise<void> {
    await this.output.write(this.redact(`${text}\n\n`));
  }
}
