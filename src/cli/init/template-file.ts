/** A file that `assay init` writes. */
export interface TemplateFile {
  readonly name: string;
  readonly text: string;
}
