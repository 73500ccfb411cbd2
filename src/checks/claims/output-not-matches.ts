import { isFoundEverywhere } from '../../base/match/found-everywhere.ts';
import { search } from '../../base/match/python-re/index.ts';
import { sampleMatch } from '../../base/match/python-re/sample-match.ts';
import { defineClaim } from '../contract/claim-kind.ts';
import { refine } from '../../base/schema/refine.ts';
import { text } from '../../base/schema/values.ts';
import { checkPythonPattern } from '../evaluators/regex.ts';
import { searchOutcome } from '../search-outcome.ts';
import { warnAboutImpossibleClaim } from '../vacuous-check.ts';

export const outputNotMatches = defineClaim({
  kind: 'output.not_matches',
  doc: "Python 3.11's `re.search` does not find this pattern in the output.",
  example: 'Par.s',
  reads: ['output'],
  schema: refine(text({ label: 'Python pattern' }), (_authored, reader, pattern) => {
    const errorsBefore = reader.errorCount;
    checkPythonPattern(pattern, reader);
    if (reader.errorCount === errorsBefore && isFoundEverywhere({ type: 'pattern', pattern }))
      warnAboutImpossibleClaim(reader, 'this pattern matches every text');
  }),
  evaluate({ value }, { reply: { output } }) {
    const outcome = searchOutcome(value, output, { what: 'the output', find: search });
    if ('error' in outcome) return outcome;
    const holds = outcome.score === 0;
    return {
      ...outcome,
      score: holds ? 1 : 0,
      message: holds ? 'the pattern is not found in the output' : undefined,
      expected: { $not: { $regex: value } },
    };
  },
  oracle({ value }) {
    const match = sampleMatch(value);
    return {
      rule: { type: 'not', rule: { type: 'pattern', pattern: value } },
      unwanted: match === undefined ? [] : [{ text: match, replaces: true }],
    };
  },
});
