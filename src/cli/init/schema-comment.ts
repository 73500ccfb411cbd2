import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { TemplateFile } from './template-file.ts';

/** The same file with the comment that tells editors its JSON Schema. */
export function withSchemaComment(file: TemplateFile, folder: string): TemplateFile {
  const schema = file.name.endsWith('.test.yaml')
    ? 'steps'
    : file.name === 'assay.config.yaml'
      ? 'config'
      : undefined;
  if (schema === undefined) return file;
  const comment = `# yaml-language-server: $schema=${schemaFolder(folder)}/${schema}.schema.json\n`;
  return { ...file, text: comment + file.text };
}

/** As the files of a folder find it: in the package that is installed above them, or that will be installed here. */
function schemaFolder(folder: string): string {
  const inPackage = join('node_modules', 'assay', 'schema');
  const start = resolve(folder);
  let root = start;
  while (!existsSync(join(root, inPackage)) && dirname(root) !== root) root = dirname(root);
  if (!existsSync(join(root, inPackage))) root = isBelow(start, process.cwd()) ? process.cwd() : start;
  const way = relative(start, root);
  return [way === '' ? '.' : way, inPackage].join('/').split(sep).join('/');
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}
