import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';

/** Appends records to a file, a megabyte at a time. */
export class RecordFile {
  #file;
  #waiting = '';

  constructor(path) {
    this.#file = openSync(path, 'w');
  }

  append(record) {
    this.#waiting += `${JSON.stringify(record)}\n`;
    if (this.#waiting.length > 1_000_000) this.#flush();
  }

  close() {
    this.#flush();
    fsyncSync(this.#file);
    closeSync(this.#file);
  }

  #flush() {
    writeSync(this.#file, this.#waiting);
    this.#waiting = '';
  }
}
