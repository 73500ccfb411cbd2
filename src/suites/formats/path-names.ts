/** File names as plain text: this room does not know the machine it runs on. */
export function basename(file: string): string {
  return file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
}

/** With its dot, as written: `.YAML`. */
export function extname(file: string): string {
  const name = basename(file);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot);
}
