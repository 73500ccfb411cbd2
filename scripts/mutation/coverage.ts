import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Copy } from './copy.ts';
import { addProbes, probesOf } from './probes.ts';
import { isKiller, sourcesOf } from './rooms.ts';

/** What one file of tests takes and runs through, and in which state of it that was seen. */
export interface Covered {
  readonly digest: string;
  readonly passed: boolean;
  readonly seconds: number;
  /** Keys of the probes: those run by the tests themselves, and those run by the built program. */
  readonly source: readonly string[];
  readonly program: readonly string[];
}

export interface Coverage {
  /** The digests of the source files at the time. */
  readonly sources: Readonly<Record<string, string>>;
  readonly tests: Readonly<Record<string, Covered>>;
}

/** Runs every file of tests that is new or changed since `known`, over source that says what of it is run. */
export async function measureCoverage(rooms: readonly string[], known: Coverage): Promise<Coverage> {
  const digests = new Map(testFiles().map((file) => [file, digestOf(readFileSync(file, 'utf8'))] as const));
  const kept = Object.entries(known.tests).filter(([file, { digest }]) => digests.get(file) === digest);
  const names = new Set(kept.map(([file]) => file));
  const unknown = [...digests.keys()].filter((file) => !names.has(file));
  if (unknown.length === 0) return known;
  const copy = new Copy('.');
  try {
    const hits = join(copy.root, '.hits');
    mkdirSync(hits);
    writeFileSync(join(copy.root, 'probe.ts'), probeModule(hits));
    writeFileSync(join(copy.root, 'name-test.ts'), NAME_TEST);
    writeFileSync(join(copy.root, 'probes.config.ts'), CONFIG);
    const sources = rooms.flatMap((room) => sourcesOf('.', room));
    for (const file of sources) {
      const source = readFileSync(file, 'utf8');
      writeFileSync(
        join(copy.root, file),
        addProbes(source, probesOf(source, file), join(copy.root, 'probe.ts')),
      );
    }
    if (!(await copy.builds())) throw new Error('the source with probes does not build');
    const files = await copy.time('probes.config.ts', unknown);
    const measured = files.map(({ file, passed, seconds, message }) => {
      if (!passed) console.log(`left out, fails without a mutant: ${file}: ${message}`);
      const read = (where: string): readonly string[] => {
        const path = join(hits, encodeURIComponent(`${where}:${file}`));
        return existsSync(path) ? [...new Set(readFileSync(path, 'utf8').trim().split('\n'))] : [];
      };
      const covered = { passed, seconds, source: read('source'), program: read('program') };
      return [file, { digest: digests.get(file)!, ...covered }] as const;
    });
    return {
      sources: {
        ...Object.fromEntries(sources.map((file) => [file, digestOf(readFileSync(file, 'utf8'))])),
        ...known.sources,
      },
      tests: Object.fromEntries([...kept, ...measured]),
    };
  } finally {
    copy.remove();
  }
}

function testFiles(): readonly string[] {
  return ['src', 'test']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((file) => file.endsWith('.test.ts') && isKiller(file))
    .sort();
}

export function digestOf(content: string): string {
  return createHash('sha1').update(content).digest('hex').slice(0, 12);
}

const CONFIG = `
import { mergeConfig } from 'vitest/config';
import shared from './vitest.config.ts';
// One process per file: code that runs while a module loads counts for every file that imports it.
export default mergeConfig(shared, { test: { setupFiles: ['./name-test.ts'], isolate: true } });
`;

/** Programs that tests start inherit the name of the file of tests. */
const NAME_TEST = `
import { expect } from 'vitest';
process.env.ASSAY_PROBED_TEST = expect.getState().testPath.slice(import.meta.dirname.length + 1);
globalThis.isAssayTest = true;
`;

/** Written at once: many of these programs are killed. */
function probeModule(folder: string): string {
  return `
import { appendFileSync } from 'node:fs';
const seen = new Set<string>();
export function hit(key: string): void {
  if (seen.has(key)) return;
  seen.add(key);
  const where = 'isAssayTest' in globalThis ? 'source' : 'program';
  try {
    appendFileSync(\`${folder}/\${encodeURIComponent(\`\${where}:\${process.env.ASSAY_PROBED_TEST}\`)}\`, key + '\\n');
  } catch {
    // A test of a disk without room.
  }
}
`;
}
