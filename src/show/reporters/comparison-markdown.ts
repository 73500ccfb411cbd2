import type { Comparison, TestChange } from '../../base/model/comparison.ts';
import { comparisonHeadline, outcomeWords } from '../../base/model/comparison-headline.ts';
import {
  byTestSentence,
  detectableSentences,
  leftOutSentences,
  measureWords,
  ownChangesSentence,
  regressionSentence,
  scoreWords,
  testedSentence,
} from '../../base/model/comparison-words.ts';
import { escapeLine } from './terminal-text.ts';

/** A comment on a pull request has a size limit, and a reader. */
const MAX_SHOWN = 50;

/** A comparison in GitHub's Markdown, for a comment on a pull request. */
export function comparisonMarkdown(comparison: Comparison): string {
  const { before, after, changes, lost_tests } = comparison;
  const blocks = [
    `**${comparisonHeadline(comparison)}**`,
    ownChangesSentence(comparison),
    byTestSentence(comparison),
    regressionSentence(comparison),
    lost_tests
      .slice(0, MAX_SHOWN)
      .map((id) => `- ${code(id)}`)
      .join('\n'),
    changes.length === 0 ? undefined : changeTable(changes),
    measureTable(comparison),
    detectableSentences(comparison).join(' '),
    [...leftOutSentences(comparison), testedSentence(comparison) ?? ''].join(' ').trim(),
    `${code(before.run_id)} (${before.passed} of ${before.measured} passed) against ${code(after.run_id)} (${after.passed} of ${after.measured} passed)`,
  ];
  return `${blocks.filter((block) => block !== undefined && block !== '').join('\n\n')}\n`;
}

function changeTable(changes: readonly TestChange[]): string {
  const rows = changes
    .slice(0, MAX_SHOWN)
    .map(
      (change) =>
        `| ${KINDS[change.kind]} | ${code(change.test)} | ${code(change.target)} | ${code(`${change.file}:${change.line}`)} | ${outcomeWords(change)} |`,
    );
  const hidden = changes.length - rows.length;
  const more = hidden > 0 ? [`\n... and ${hidden} more.`] : [];
  return ['| | test | target | place | change |', '|---|---|---|---|---|', ...rows, ...more].join('\n');
}

const KINDS: Readonly<Record<TestChange['kind'], string>> = {
  new_failure: 'new failure',
  fix: 'fix',
  flip: 'flip',
  score: 'score',
};

function measureTable(comparison: Comparison): string | undefined {
  const score = scoreWords(comparison);
  const rows = [
    ...(score === undefined ? [] : [['Mean score', score] as const]),
    ...measureWords(comparison),
  ];
  if (rows.length === 0) return undefined;
  return ['| | before → after |', '|---|---|', ...rows.map(([name, words]) => `| ${name} | ${words} |`)].join(
    '\n',
  );
}

/**
 * Foreign text as code: nothing in it is read as Markdown, HTML or a mention. The fence has more backticks than the
 * text. A bar is escaped, since it would end a table cell even there.
 */
function code(text: string): string {
  const line = escapeLine(text).replaceAll('|', '\\|');
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = longest > 0 ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}
