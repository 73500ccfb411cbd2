import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { applyMutant, type Mutant } from './mutants.ts';

/**
 * Puts all mutants into a copy at once, beside the original: each is a module of its own, and the original exports what the
 * chosen one does. So the program is built once for all of them. Mutants of code that runs when a module is loaded cannot be
 * there when others are tried.
 */
export class Variants {
  private readonly numbers: ReadonlyMap<Mutant, number>;

  constructor(
    private readonly root: string,
    mutants: readonly Mutant[],
  ) {
    this.numbers = new Map(mutants.map((mutant, index) => [mutant, index + 1]));
    this.choose(undefined);
    writeFileSync(join(root, 'chosen.ts'), chosenModule(this.chosenPath));
    for (const file of new Set(mutants.map((mutant) => mutant.file))) this.write(file);
  }

  /** Which of them everything that starts from now on runs with. */
  choose(mutant: Mutant | undefined): void {
    writeFileSync(this.chosenPath, mutant === undefined ? '' : String(this.numbers.get(mutant)));
  }

  private get chosenPath(): string {
    return join(this.root, '.chosen');
  }

  private write(file: string): void {
    const path = join(this.root, file);
    const source = readFileSync(path, 'utf8');
    const own = [...this.numbers].filter(([mutant]) => mutant.file === file);
    const at = (name: string): string => path.replace(/\.ts$/, `.${name}.ts`);
    writeFileSync(at('original'), source);
    for (const [mutant, number] of own) writeFileSync(at(`mutant${number}`), applyMutant(source, mutant));
    const imports = ['original', ...own.map(([, number]) => `mutant${number}`)].map(
      (name) => `import * as ${name} from '${at(name)}';`,
    );
    const cases = own.map(([, number]) => `'${number}': mutant${number}`).join(', ');
    writeFileSync(
      path,
      [
        `import { chosen } from '${join(this.root, 'chosen.ts')}';`,
        ...imports,
        `const all = { ${cases} };`,
        'const own = all[chosen] ?? original;',
        ...exportedNames(source, file).map((name) => `export const ${name} = own.${name};`),
      ].join('\n'),
    );
  }
}

function chosenModule(path: string): string {
  return `import { readFileSync } from 'node:fs';\nexport const chosen = readFileSync('${path}', 'utf8');\n`;
}

function exportedNames(source: string, file: string): readonly string[] {
  const { module } = parseSync(file, source);
  return module.staticExports
    .flatMap(({ entries }) => entries)
    .filter(({ isType }) => !isType)
    .map(({ exportName }) => exportName.name!);
}
