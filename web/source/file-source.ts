import type { EmbeddedRun, ResultDetail, ResultRow } from '../../src/model/page-data.ts';
import { parseExactJson } from './parse-exact-json.ts';
import type { Source } from './source.ts';
import { SourceError } from './source-error.ts';
import { unpack } from './unpack.ts';

/** The run inside the document itself: a report opened from disk. Undefined if there is none. */
export function findFileSource(): { readonly source: Source; readonly runId: string } | undefined {
  const element = document.querySelector('#assay-data');
  if (element === null) return undefined;
  const embedded = parseExactJson(element.textContent) as EmbeddedHead;
  const cut = document.querySelector('#assay-cut');
  const contents = embedded.rows === undefined ? new PackedContents(document) : new PlainContents(embedded);
  const head = cut === null ? embedded : { ...embedded, cut: JSON.parse(cut.textContent) as string };
  return { source: createFileSource(head, contents), runId: embedded.run.run_id };
}

type EmbeddedHead = Pick<EmbeddedRun, 'run' | 'description' | 'cut'> & Partial<EmbeddedRun>;

/** Where the rows and details of a report are. */
interface Contents {
  rows(): AsyncIterable<readonly ResultRow[]> | Iterable<readonly ResultRow[]>;
  detail(index: number): Promise<ResultDetail | undefined>;
}

/** Rows are delivered in pieces, so that the first ones are painted before the last ones are read. */
const PIECE = 5000;

class PlainContents implements Contents {
  private readonly embedded: Partial<EmbeddedRun>;

  constructor(embedded: Partial<EmbeddedRun>) {
    this.embedded = embedded;
  }

  *rows(): Generator<readonly ResultRow[]> {
    const { rows = [] } = this.embedded;
    for (let start = 0; start < rows.length; start += PIECE) yield rows.slice(start, start + PIECE);
  }

  detail(index: number): Promise<ResultDetail | undefined> {
    const { details = {} } = this.embedded;
    return Promise.resolve(Object.hasOwn(details, index) ? details[index] : undefined);
  }
}

/** In compressed blocks: each is unpacked when it is needed. */
class PackedContents implements Contents {
  private readonly document: ParentNode;
  private readonly blocks = new Map<string, Element>();
  private last: { readonly block: Element; readonly details: Promise<EmbeddedRun['details']> } | undefined;

  constructor(document: ParentNode) {
    this.document = document;
    for (const block of document.querySelectorAll('.assay-details'))
      for (const index of (block.getAttribute('data-rows') ?? '').split(' ')) this.blocks.set(index, block);
  }

  async *rows(): AsyncGenerator<readonly ResultRow[]> {
    for (const block of this.document.querySelectorAll('.assay-rows'))
      yield JSON.parse(await unpack(block)) as readonly ResultRow[];
  }

  async detail(index: number): Promise<ResultDetail | undefined> {
    const block = this.blocks.get(String(index));
    if (block === undefined) return undefined;
    // The next test is mostly in the same block.
    if (this.last?.block !== block) this.last = { block, details: unpackDetails(block) };
    return (await this.last.details)[index];
  }
}

async function unpackDetails(block: Element): Promise<EmbeddedRun['details']> {
  return parseExactJson(await unpack(block)) as EmbeddedRun['details'];
}

function createFileSource({ run, description, cut }: EmbeddedHead, contents: Contents): Source {
  const noOthers = (): Promise<never> =>
    Promise.reject(
      new SourceError('This report contains one run.', { hint: 'To see all runs, use: assay view' }),
    );
  return {
    holds: 'one run',
    runs: () => Promise.resolve([run]),
    run: () => Promise.resolve({ run, description, cut }),
    results: async (_runId, { from, onRows, signal }) => {
      for await (const rows of contents.rows()) {
        if (signal.aborted) return;
        onRows(from === 0 ? rows : rows.filter(({ index }) => index >= from));
        await new Promise((resolve) => setTimeout(resolve));
      }
    },
    result: async (_runId, index) => {
      const detail = await contents.detail(index);
      if (detail !== undefined) return detail;
      throw new SourceError('The conversation of this attempt was left out of the report.', {
        hint: 'The run itself has it. To see it, use: assay view',
      });
    },
    follow: (_runId, { onEnd }) => onEnd(),
    compare: noOthers,
    history: noOthers,
    flaky: noOthers,
  };
}
