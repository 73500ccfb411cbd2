import { readSetting, writeSetting } from './settings.ts';

const SETTING = 'assay-editor';

/** The editor that the reader chose on this page. Undefined: that of the config. */
export function chosenEditor(): string | undefined {
  return readSetting(SETTING);
}

export function chooseEditor(editor: string | undefined): void {
  writeSetting(SETTING, editor);
}
