import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { killStarted, startView, type RunningView } from '../view/view-project.ts';
import { closePages, sharedBrowser } from './browser.ts';

interface ViewSite {
  readonly view: RunningView;
  readonly browser: Browser;
}

/** `assay view` over a project, and the browser, for the tests of a file. At their end the project is removed. */
export function viewSite(
  project: { readonly path: string; remove(): void },
  args: readonly string[] = [],
): ViewSite {
  const site = {} as { view: RunningView; browser: Browser };
  beforeAll(async () => {
    [site.browser, site.view] = await Promise.all([sharedBrowser(), startView(project.path, args)]);
  });
  afterAll(killStarted);
  afterAll(async () => {
    await closePages(site.browser);
    await site.view?.stop();
    project.remove();
  });
  return site;
}
