import { source as AXE } from 'axe-core';
import type { Page } from 'playwright-core';

const ALL_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe finds wrong with a page, in words. */
export async function violations(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  // By the tools of the developer: the policy of the page stays as it is.
  await page.evaluate(`window.axe ?? (() => { ${AXE} })()`);
  const only = rules === undefined ? { type: 'tag', values: ALL_RULES } : { type: 'rule', values: rules };
  const options = JSON.stringify({ runOnly: only, resultTypes: ['violations'], iframes: false });
  const found = (await page.evaluate(
    `axe.run(document, ${options}).then(({ violations }) => violations)`,
  )) as readonly Violation[];
  return found.map(
    ({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0]!.html.slice(0, 200)} ${nodes[0]!.failureSummary}`,
  );
}
