import { Observable, useObservable } from './observable.ts';
import { readSetting, writeSetting } from './settings.ts';

type Theme = 'light' | 'dark';
const SETTING = 'assay-theme';
const themes = new Observable();

/** The chosen theme, else that of the system. */
function currentTheme(): Theme {
  const chosen = readSetting(SETTING);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** Without a choice the style sheet follows the system. */
export function applyTheme(): void {
  const chosen = readSetting(SETTING);
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen;
}

export function useTheme(): Theme {
  return useObservable(themes, currentTheme);
}

export function toggleTheme(): void {
  const theme = currentTheme() === 'dark' ? 'light' : 'dark';
  writeSetting(SETTING, theme);
  document.documentElement.dataset['theme'] = theme;
  themes.notify();
}
