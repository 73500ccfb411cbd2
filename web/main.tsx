import './styles/page.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { listenToKeys } from './keyboard/shortcuts.ts';
import { applyTheme } from './parts/theme.ts';
import { listenToPrinting } from './print/printing.ts';
import { listenToRoutes } from './route/route.ts';
import { findFileSource } from './source/file-source.ts';
import { createServerSource } from './source/server-source.ts';
import { SourceContext } from './source/source-context.ts';

applyTheme();
listenToKeys();
listenToPrinting();
listenToRoutes();
const file = findFileSource();
render(
  <SourceContext.Provider value={file?.source ?? createServerSource()}>
    <App onlyRun={file?.runId} />
  </SourceContext.Provider>,
  document.querySelector('#page')!,
);
