import { gunzipSync } from 'node:zlib';
import type { EmbeddedRun, ResultRow } from '../../src/base/model/page-data.ts';

/** What an HTML report contains, unpacked. */
export function readReport(html: string): EmbeddedRun {
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
    details: Object.assign({}, ...blocks('details')) as EmbeddedRun['details'],
    cut: plain('assay-cut') as string | undefined,
  };
}
