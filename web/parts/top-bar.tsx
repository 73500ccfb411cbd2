import { toggleTheme, useTheme } from './theme.ts';
import { Icon } from './icon.tsx';
import './top-bar.css';

const SECTIONS = [
  { name: 'runs', title: 'Runs', link: '#/' },
  { name: 'trends', title: 'Trends', link: '#/trends' },
  { name: 'flaky', title: 'Flaky', link: '#/flaky' },
];

/** Pages that are opened from those of runs. */
const OF_RUNS = new Set(['compare', 'history']);

export function TopBar({
  section,
  onlyRun,
  onHelp,
}: {
  readonly section: string;
  readonly onlyRun: string | undefined;
  readonly onHelp: () => void;
}) {
  const theme = useTheme();
  return (
    <header class="top-bar">
      <a class="logo" href="#/">
        <Icon name="logo" />
        Assay
      </a>
      <nav aria-label="Sections">
        {onlyRun === undefined ? (
          SECTIONS.map(({ name, title, link }) => (
            <a
              key={name}
              href={link}
              aria-current={name === (OF_RUNS.has(section) ? 'runs' : section) ? 'page' : undefined}
            >
              {title}
            </a>
          ))
        ) : (
          <a href="#/" aria-current={section === 'runs' ? 'page' : undefined}>
            Report
          </a>
        )}
      </nav>
      <button
        type="button"
        class="quiet"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
        onClick={onHelp}
      >
        <Icon name="keys" />
      </button>
      <button
        type="button"
        class="quiet"
        aria-label={theme === 'dark' ? 'Use the light theme' : 'Use the dark theme'}
        title="Light or dark (t)"
        onClick={toggleTheme}
      >
        <Icon name="theme" />
      </button>
    </header>
  );
}
