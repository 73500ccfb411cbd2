import type { ResultDetail, ResultRow } from '../../src/base/model/page-data.ts';
import { shortTextId } from '../../src/base/model/sent-texts.ts';
import { parseExactJson } from './parse-exact-json.ts';
import { unpack } from './unpack.ts';

type Details = Readonly<Record<number, ResultDetail>>;

/** The rows, details and texts of a report, in compressed blocks: each is unpacked when it is needed. */
export class ReportContents {
  private readonly document: ParentNode;
  private readonly blocks = new Map<string, Element>();
  private last: { readonly block: Element; readonly details: Promise<Details> } | undefined;

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

  /** Texts that its details refer to, by their ids. One that was left out is missing. */
  async texts(ids: readonly string[]): Promise<Readonly<Record<string, string>>> {
    const found: Record<string, string> = {};
    for (const block of this.document.querySelectorAll('.assay-texts')) {
      const names = new Set((block.getAttribute('data-rows') ?? '').split(' '));
      const wanted = ids.filter((id) => names.has(shortTextId(id)));
      if (wanted.length === 0) continue;
      const texts = JSON.parse(await unpack(block)) as Readonly<Record<string, string>>;
      for (const id of wanted) if (Object.hasOwn(texts, id)) found[id] = texts[id]!;
    }
    return found;
  }

  /** The rows whose details it has. */
  indexes(): readonly number[] {
    return [...this.blocks.keys()].map(Number);
  }

  /** All details, in pieces. */
  async *details(): AsyncGenerator<Details> {
    // The browser unpacks the next ones in other threads while this one is read.
    const blocks = [...new Set(this.blocks.values())];
    const ahead: Promise<string>[] = [];
    for (const block of blocks.slice(0, AHEAD)) ahead.push(startUnpacking(block));
    for (let at = 0; at < blocks.length; at++) {
      const json = await ahead.shift()!;
      const next = blocks[at + AHEAD];
      if (next !== undefined) ahead.push(startUnpacking(next));
      yield parseExactJson(json) as Details;
    }
  }
}

/** How many blocks are unpacked at once. */
const AHEAD = 4;

function startUnpacking(block: Element): Promise<string> {
  const json = unpack(block);
  // If it fails, the one who waits for it is told.
  json.catch(() => {});
  return json;
}

async function unpackDetails(block: Element): Promise<Details> {
  return parseExactJson(await unpack(block)) as Details;
}
