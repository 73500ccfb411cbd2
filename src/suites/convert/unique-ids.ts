import type { ConversionLog } from './conversion-log.ts';
import type { PathSegment } from '../../base/model/place.ts';

/** The ids of converted tests: those of the other tool, made unique. */
export class UniqueIds {
  private readonly log: ConversionLog;
  private readonly taken = new Set<string>();

  constructor(log: ConversionLog) {
    this.log = log;
  }

  add(wanted: string, from: readonly PathSegment[]): string {
    let id = wanted;
    for (let count = 2; this.taken.has(id); count++) id = `${wanted}#${count}`;
    this.taken.add(id);
    if (id !== wanted)
      this.log.warn({
        code: 'id_changed',
        message: `the id ${JSON.stringify(wanted)} is used twice, so this test is called ${JSON.stringify(id)}`,
        from,
      });
    return id;
  }
}
