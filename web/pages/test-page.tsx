import { useCallback, useMemo, useState } from 'preact/hooks';
import { TestHeadline } from '../headline/test-headline-view.tsx';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { BlindResult } from '../labels/blind-result.tsx';
import { LabelBar, LabelList } from '../labels/label-bar.tsx';
import {
  attemptCount,
  hasLabelOf,
  isBlind,
  labelName,
  nextUnlabelled,
  setBlind,
} from '../labels/labelling.ts';
import { useLabels } from '../labels/use-labels.ts';
import { PageFrame } from '../parts/page-frame.tsx';
import { Neighbours } from '../parts/neighbours.tsx';
import { LoadNotice } from '../parts/trouble.tsx';
import { VerdictMark } from '../parts/verdict-mark.tsx';
import { EditorContext } from '../result/place-link.tsx';
import { ResultHead } from '../result/result-head.tsx';
import { ResultView } from '../result/result-view.tsx';
import { TextsContext, type ReadTexts } from '../result/sent/sent-texts.ts';
import { go, linkTo } from '../route/route.ts';
import { highlightsOf } from '../find/highlights-of.ts';
import { wordsOf } from '../find/match-query.ts';
import { useFoundTests } from '../find/use-found-tests.ts';
import { readFilter } from '../run/filter.ts';
import { groupRows, isGroup } from '../run/group-rows.ts';
import { RunAgain } from '../run/run-again.tsx';
import { runName } from '../run/run-name.ts';
import { readOrder, sortTests } from '../run/sort.ts';
import { attemptToOpen, estimateOf, type TestRow } from '../run/test-row.ts';
import { useRunResults } from '../run/use-run-results.ts';
import { useSource } from '../source/source-context.ts';
import { useLoaded } from '../source/use-loaded.ts';
import { currentReading, setReading } from '../text/reading.ts';
import { HighlightContext } from '../text/highlight.ts';
import { Text } from '../text/text.tsx';

/** One attempt of a test, with links to its other repeats and to its neighbours in the list. */
export function TestPage({
  runId,
  index,
  query,
}: {
  readonly runId: string;
  readonly index: number;
  readonly query: URLSearchParams;
}) {
  const source = useSource();
  const loaded = useLoaded((signal) => source.result(runId, index, signal), [source, runId, index]);
  const results = useRunResults(runId);
  const { tests, detail } = results;
  const row = useMemo(
    () => tests.find(({ attempts }) => attempts.some((one) => one.index === index)),
    [tests, index],
  );
  const filter = useMemo(() => readFilter(query), [query]);
  const book = useLabels(runId);
  const found = useFoundTests(results, filter, book.latest);
  const list = useMemo(() => inOrder(found.tests, query), [found.tests, query]);
  const readTexts: ReadTexts = useCallback(
    (ids, signal) => source.texts(runId, ids, signal),
    [source, runId],
  );
  const highlights = useMemo(() => highlightsOf(wordsOf(filter.query)), [filter]);
  const place = row === undefined ? -1 : list.findIndex(({ key }) => key === row.key);
  const linkOf = (attempt: number): string => linkTo(['runs', runId, 'results', attempt], query);
  const back = linkTo(['runs', runId], query);
  const step = (by: number): void => {
    const next = list[place + by];
    if (next !== undefined) go(linkOf(attemptToOpen(next.attempts).index));
  };
  const repeat = (by: number): void => {
    const attempts = row?.attempts ?? [];
    const next = attempts[attempts.findIndex((one) => one.index === index) + by];
    if (next !== undefined) go(linkOf(next.index));
  };
  useShortcuts([
    { keys: 'Escape', does: 'Back to the list', run: () => go(back) },
    { keys: 'j', does: 'Next test', run: () => step(1) },
    { keys: 'k', does: 'Previous test', run: () => step(-1) },
    { keys: ']', does: 'Next repeat', run: () => repeat(1) },
    { keys: '[', does: 'Previous repeat', run: () => repeat(-1) },
    { keys: 'e', does: 'Open or close all assertions', run: toggleAssertions },
    { keys: 'm', does: 'Toggle raw text', run: toggleReading },
  ]);
  const result = loaded.value;
  const record = result?.record;
  const [blind, setBlindHere] = useState(isBlind());
  const isHidden = blind && book.canWrite && !hasLabelOf(book, index, labelName(book));
  const toggleBlind = (): void => {
    setBlind(!blind);
    setBlindHere(!blind);
  };
  const next = book.canWrite ? nextUnlabelled(list, { book, after: index, isBlind: blind }) : undefined;
  const labels = book.byIndex.get(index) ?? [];
  const name = record?.test ?? row?.test ?? 'Test';
  const crumbs = [{ name: detail === undefined ? 'Run' : <Text value={runName(detail.run)} />, link: back }];
  const bar = book.canWrite && record !== undefined && (
    <LabelBar
      key={index}
      book={book}
      record={record}
      index={index}
      total={attemptCount(tests)}
      isBlind={blind}
      onBlind={toggleBlind}
      onNext={next === undefined ? undefined : () => go(linkOf(next))}
    />
  );
  // A page of its own: nothing that is added to the other one can tell the verdict here.
  if (isHidden && result !== undefined) {
    return (
      <PageFrame key="blind" title={name} heading={<Text value={name} />} crumbs={crumbs}>
        <TextsContext.Provider value={readTexts}>
          <BlindResult detail={result} />
        </TextsContext.Provider>
        {bar}
      </PageFrame>
    );
  }
  return (
    <PageFrame
      title={name}
      heading={<Text value={name} />}
      crumbs={crumbs}
      aside={place >= 0 && <Neighbours place={place} count={list.length} onStep={step} />}
    >
      {record !== undefined && <TestHeadline record={record} row={row} runId={runId} />}
      {row !== undefined && row.attempts.length > 1 && <Repeats row={row} index={index} linkOf={linkOf} />}
      <LoadNotice {...loaded} />
      {result !== undefined && (
        <EditorContext.Provider value={result.editor}>
          <HighlightContext.Provider value={highlights}>
            <ResultHead
              record={result.record}
              description={detail?.description}
              again={
                detail?.can_run === true && (
                  <RunAgain
                    name="Run it again"
                    runId={runId}
                    request={{ what: 'test', index }}
                    estimate={estimateOf(row === undefined ? [] : [row])}
                  />
                )
              }
            />
            {!book.canWrite && labels.length > 0 && <LabelList labels={labels} />}
            <TextsContext.Provider value={readTexts}>
              <ResultView detail={result} />
            </TextsContext.Provider>
          </HighlightContext.Provider>
        </EditorContext.Provider>
      )}
      {bar}
    </PageFrame>
  );
}

/** The tests in the order of the list that this one was opened from. */
function inOrder(tests: readonly TestRow[], query: URLSearchParams): readonly TestRow[] {
  const order = readOrder(query);
  const sorted = sortTests(tests, order);
  const all = groupRows(sorted, order, 'all');
  return all.filter((row): row is TestRow => !isGroup(row));
}

function Repeats({
  row,
  index,
  linkOf,
}: {
  readonly row: TestRow;
  readonly index: number;
  readonly linkOf: (index: number) => string;
}) {
  return (
    <nav class="line repeats" aria-label="Repeats">
      <span class="label">Repeats</span>
      {row.attempts.map((attempt) => (
        <a
          key={attempt.index}
          href={linkOf(attempt.index)}
          aria-current={attempt.index === index ? 'page' : undefined}
        >
          <VerdictMark outcome={attempt.verdict} /> {attempt.repeat}
        </a>
      ))}
      {row.isFlaky && <VerdictMark outcome="flaky" hasWord />}
    </nav>
  );
}

/** Closes all if all are open, otherwise opens all. */
function toggleAssertions(): void {
  const all = [...document.querySelectorAll<HTMLDetailsElement>('details.assertion')];
  const areOpen = all.every(({ open }) => open);
  for (const one of all) one.open = !areOpen;
}

function toggleReading(): void {
  setReading(currentReading() === 'raw' ? 'formatted' : 'raw');
}
