import { SpooledTexts, type TextPlace } from '../../base/files/spooled-texts.ts';
import { byPlace, type RecordPlace } from '../../base/model/record-order.ts';
import type { AttemptRecord } from '../../base/model/record.ts';

type Sorted = Omit<RecordPlace, 'test'> & Pick<AttemptRecord, 'repeat'> & { readonly text: TextPlace };

/** A text for each record, in the order of the files and of the repeats. The texts wait in a temporary file. */
export class SortedRecords {
  private readonly texts = new SpooledTexts();
  private readonly records: Sorted[] = [];
  /** Each record has its own copy of these names. One is kept. */
  private readonly names = new Map<string, string>();

  add({ file, line, column, row, target, repeat }: AttemptRecord, text: string): void {
    const names = { file: this.shared(file), target: this.shared(target) };
    this.records.push({ ...names, line, column, row, repeat, text: this.texts.add(text) });
  }

  *[Symbol.iterator](): Generator<string> {
    this.records.sort((a, b) => byPlace(a, b) || a.repeat - b.repeat);
    for (const { text } of this.records) yield this.texts.at(text);
  }

  close(): void {
    this.texts.close();
    this.records.length = 0;
  }

  private shared(name: string): string {
    const known = this.names.get(name);
    if (known === undefined) this.names.set(name, name);
    return known ?? name;
  }
}
