import { createPathsMatcher, parseTsconfig } from 'get-tsconfig';

/** A tsconfig.json with what it extends. */
export interface ReadTsconfig {
  readonly options: Readonly<Record<string, unknown>>;
  /** The file, and those that it extends. */
  readonly files: readonly string[];
  /** The paths that a name of a module stands for, by `paths` or `baseUrl`. Undefined if it has neither. */
  readonly pathsOf: ((name: string) => readonly string[]) | undefined;
}

/** One that cannot be read has no options. */
export function readTsconfig(path: string): ReadTsconfig {
  const reads = new Map<string, string>();
  try {
    const config = parseTsconfig(path, reads);
    return {
      options: { ...config.compilerOptions },
      files: [...reads.keys()].flatMap(
        (key) => /^readFileSync:(.*(?<!\/package)\.json):utf8$/s.exec(key)?.[1] ?? [],
      ),
      pathsOf: createPathsMatcher({ path, config }) ?? undefined,
    };
  } catch {
    return { options: {}, files: [path], pathsOf: undefined };
  }
}
