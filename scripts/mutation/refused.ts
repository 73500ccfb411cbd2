import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { Copy } from './copy.ts';
import { applyMutant, type Mutant } from './mutants.ts';

/**
 * The mutants that the type checker refuses: nobody could ship them. It looks at one of each file at a time, and takes an
 * error in the file to be about its mutant.
 */
export async function refusedByTypes(mutants: readonly Mutant[]): Promise<ReadonlySet<Mutant>> {
  const byFile = new Map<string, Mutant[]>();
  for (const mutant of mutants) byFile.set(mutant.file, [...(byFile.get(mutant.file) ?? []), mutant]);
  const rounds = Math.max(0, ...[...byFile.values()].map(({ length }) => length));
  const refused = new Set<Mutant>();
  const copy = new Copy('.');
  try {
    for (let round = 0; round < rounds; round++) {
      const tried = [...byFile.values()].flatMap((all) => all[round] ?? []);
      const sources = new Map(tried.map(({ file }) => [file, readFileSync(file, 'utf8')]));
      for (const mutant of tried)
        writeFileSync(join(copy.root, mutant.file), applyMutant(sources.get(mutant.file)!, mutant));
      const wrong = await copy.filesWithTypeErrors();
      for (const mutant of tried) if (wrong.has(mutant.file)) refused.add(mutant);
      for (const [file, source] of sources) writeFileSync(join(copy.root, file), source);
    }
  } finally {
    copy.remove();
  }
  for (const mutant of mutants) if (!parses(mutant)) refused.add(mutant);
  return refused;
}

/** `??` cannot be mixed with `&&`. */
function parses(mutant: Mutant): boolean {
  return parseSync(mutant.file, applyMutant(readFileSync(mutant.file, 'utf8'), mutant)).errors.length === 0;
}
