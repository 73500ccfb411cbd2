import { search } from '../../match/python-re/index.ts';
import { defineClaim } from '../contract/claim-kind.ts';
import { refine } from '../../schema/refine.ts';
import { text } from '../../schema/values.ts';
import { checkPythonPattern, wantedMatch, warnAboutVacuousPattern } from '../evaluators/regex.ts';
import { searchOutcome } from '../search-outcome.ts';

export const outputMatches = defineClaim({
  kind: 'output.matches',
  doc: "Python 3.11's `re.search` finds this pattern in the output.",
  schema: refine(text({ label: 'Python pattern' }), (pattern, reader) => {
    checkPythonPattern(pattern as string, reader);
    warnAboutVacuousPattern(pattern, reader, { pattern: pattern as string });
  }),
  evaluate: ({ value }, { reply: { output } }) =>
    searchOutcome(value as string, output, { what: 'the output', find: search }),
  oracle: ({ value }) => wantedMatch(value as string),
});
