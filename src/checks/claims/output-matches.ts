import { search } from '../../base/match/python-re/index.ts';
import { defineClaim } from '../contract/claim-kind.ts';
import { refine } from '../../base/schema/refine.ts';
import { text } from '../../base/schema/values.ts';
import { checkPythonPattern, wantedMatch, warnAboutVacuousPattern } from '../evaluators/regex.ts';
import { searchOutcome } from '../search-outcome.ts';

export const outputMatches = defineClaim({
  kind: 'output.matches',
  doc: "Python 3.11's `re.search` finds this pattern in the output.",
  example: 'Par.s',
  reads: ['output'],
  schema: refine(text({ label: 'Python pattern' }), (authored, reader, pattern) => {
    checkPythonPattern(pattern, reader);
    warnAboutVacuousPattern(authored, reader, { pattern });
  }),
  evaluate: ({ value }, { reply: { output } }) =>
    searchOutcome(value, output, { what: 'the output', find: search }),
  oracle: ({ value }) => wantedMatch(value),
});
