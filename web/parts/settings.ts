/** Stored in the browser if allowed; a page from disk may not, and works without. */
export function readSetting(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return memory.get(name);
  }
}

export function writeSetting(name: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    if (value === undefined) memory.delete(name);
    else memory.set(name, value);
  }
}

const memory = new Map<string, string>();

/** The editor that the reader chose on this page. Without it: that of the config. */
export const EDITOR_SETTING = 'assay-editor';
