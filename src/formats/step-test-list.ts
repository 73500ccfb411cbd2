import type { Finding } from '../model/finding.ts';
import type { Test } from '../model/test.ts';
import { Reader } from '../schema/reader.ts';
import { detectFormat } from './detect-format.ts';
import { openJsonList, type JsonList } from './json-list.ts';
import { createScannedSource } from './located.ts';
import { isLongJson } from './long-json.ts';
import { byPlace, type SuiteText } from './parse-suite.ts';
import { StepTestListReader, type StepTestSchemas } from './step-test.ts';

/** A long list of step tests in JSON, which are read one by one, as often as they are asked for. */
export interface StepTestList {
  /** The tests that can be read; what is wrong with the others is returned at the end. */
  read(): Generator<Test, readonly Finding[]>;
}

/** Undefined for every other text: that one is read as a whole. */
export function openStepTestList(
  { path, text: authored }: SuiteText,
  schemas: StepTestSchemas,
): StepTestList | undefined {
  const text = authored.startsWith('\uFEFF') ? authored.slice(1) : authored;
  const items = isLongJson(text) ? openJsonList(text) : undefined;
  if (items === undefined || !holdsStepTests(items)) return undefined;
  return {
    *read() {
      const reader = new Reader(createScannedSource(path, text));
      const list = new StepTestListReader(reader, schemas);
      for (let index = 0; index < items.length; index++) {
        const test = list.read(items.item(index));
        if (test !== undefined) yield test;
      }
      list.end();
      return reader.findings.toSorted(byPlace);
    },
  };
}

function holdsStepTests(items: JsonList): boolean {
  for (let index = 0; index < items.length; index++)
    if ('format' in detectFormat([items.item(index)])) return true;
  return false;
}
