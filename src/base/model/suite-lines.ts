/** Whether a file is a dataset: its name alone decides. */
export function isDataset(file: string): boolean {
  return /[^/\\]\.jsonl$/i.test(file);
}

/** The lines of a suite's text as places count them. A dataset's lines end only at line feeds. */
export function splitSuiteLines(text: string, file: string): string[] {
  return text.replace(/^\uFEFF/, '').split(isDataset(file) ? /\r?\n/ : /\r\n|\n|\r/);
}
