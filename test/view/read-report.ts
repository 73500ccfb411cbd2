import { gunzipSync } from 'node:zlib';
import type { EmbeddedRun, ResultDetail, ResultRow } from '../../src/base/model/page-data.ts';

export interface ReadReport extends EmbeddedRun {
  readonly rows: readonly ResultRow[];
  readonly details: Readonly<Record<number, ResultDetail>>;
  /** What was left out, for people. */
  readonly cut: string | undefined;
}

/** What an HTML report contains, unpacked. */
export function readReport(html: string): ReadReport {
  const plain = (id: string): unknown => {
    const [, json] = new RegExp(`id="${id}">([^<]*)</script>`).exec(html) ?? [];
    return json === undefined ? undefined : JSON.parse(json);
  };
  const blocks = (kind: string): readonly unknown[] =>
    [...html.matchAll(new RegExp(`class="assay-${kind}"[^>]*>([^<]*)</script>`, 'g'))].map(
      ([, text]) => JSON.parse(gunzipSync(Buffer.from(text!, 'base64')).toString()) as unknown,
    );
  return {
    ...(plain('assay-data') as EmbeddedRun),
    rows: (blocks('rows') as readonly (readonly ResultRow[])[]).flat(),
    details: Object.assign({}, ...blocks('details')) as ReadReport['details'],
    cut: plain('assay-cut') as string | undefined,
  };
}
