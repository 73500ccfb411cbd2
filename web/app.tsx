import { useRef, useState } from 'preact/hooks';
import { HelpDialog } from './keyboard/help-dialog.tsx';
import { useShortcuts } from './keyboard/shortcuts.ts';
import { ComparePage } from './pages/compare-page.tsx';
import { FlakyPage } from './pages/flaky-page.tsx';
import { HistoryPage } from './pages/history-page.tsx';
import { NowherePage } from './pages/nowhere-page.tsx';
import { PairPage } from './pages/pair-page.tsx';
import { RunPage } from './pages/run-page.tsx';
import { RunsPage } from './pages/runs-page.tsx';
import { TargetsPage } from './pages/targets-page.tsx';
import { TestPage } from './pages/test-page.tsx';
import { TrendsPage } from './pages/trends-page.tsx';
import { TopBar } from './parts/top-bar.tsx';
import { toggleTheme } from './parts/theme.ts';
import { go, linkTo, useRoute, type Route } from './route/route.ts';

/** A report contains one run: it starts at that run's list of tests. */
export function App({ onlyRun }: { readonly onlyRun: string | undefined }) {
  const route = useRoute();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  useShortcuts([
    { keys: '?', does: 'Keyboard shortcuts', run: () => setHelpOpen(true) },
    { keys: 't', does: 'Switch between light and dark', run: toggleTheme },
    ...(onlyRun === undefined
      ? [
          { keys: 'g r', does: 'Go to runs', run: () => go('#/') },
          { keys: 'g t', does: 'Go to trends', run: () => go('#/trends') },
          { keys: 'g f', does: 'Go to flaky tests', run: () => go('#/flaky') },
        ]
      : [{ keys: 'g r', does: 'Go to the run', run: () => go(linkTo(['runs', onlyRun])) }]),
  ]);
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.querySelector('h1')?.focus()}>
        Skip to content
      </button>
      <TopBar section={route.path[0] ?? 'runs'} onlyRun={onlyRun} onHelp={() => setHelpOpen(true)} />
      <main ref={main}>
        <Page key={route.path.join('/')} route={route} onlyRun={onlyRun} />
      </main>
      {isHelpOpen && <HelpDialog onClose={() => setHelpOpen(false)} />}
    </>
  );
}

function Page({ route, onlyRun }: { readonly route: Route; readonly onlyRun: string | undefined }) {
  const { query } = route;
  const [section, first, second, third, fourth] = route.path;
  if (section === undefined)
    return onlyRun === undefined ? <RunsPage query={query} /> : <RunPage runId={onlyRun} query={query} />;
  if (section === 'runs' && first !== undefined) {
    if (second === undefined) return <RunPage runId={first} query={query} />;
    const index = Number(third);
    if (second === 'results' && Number.isInteger(index))
      return <TestPage runId={first} index={index} query={query} />;
    if (second === 'tests' && third !== undefined && fourth !== undefined)
      return <TargetsPage runId={first} file={third} test={fourth} query={query} />;
  }
  if (onlyRun === undefined) {
    if (section === 'compare' && first !== undefined && second !== undefined) {
      const Shown = third === 'test' ? PairPage : ComparePage;
      return <Shown before={first} after={second} query={query} />;
    }
    if (section === 'trends') return <TrendsPage query={query} />;
    if (section === 'history') return <HistoryPage query={query} />;
    if (section === 'flaky') return <FlakyPage />;
  }
  return <NowherePage />;
}
