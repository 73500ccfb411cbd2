import { readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize, relative } from 'node:path';
import { globSync } from 'tinyglobby';
import type { CaseFile, CaseFiles } from '../formats/agentv/case-files.ts';
import { isInside } from '../../base/files/is-inside.ts';
import { isPrivate } from './file-parts.ts';
import { readSuiteFile } from './read-suite-file.ts';

interface Unopened {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** The files of cases that a suite names. Every one must be inside of the project. */
export function createCaseFiles(root: string, opened: Set<string>): CaseFiles {
  return {
    open(reference, from) {
      const path = reference.replace(/^file:\/\//, '');
      const wanted = isAbsolute(path) ? path : normalize(join(dirname(from), path));
      const found = find(wanted, { reference, root });
      if (!Array.isArray(found)) return found as Unopened;
      const files: CaseFile[] = [];
      for (const each of found as readonly Found[]) {
        const read = readInside(each, { root, reference, opened });
        if ('code' in read) return read;
        files.push(read);
      }
      return { files };
    },
  };
}

type Found = Omit<CaseFile, 'text'>;

interface Looking {
  readonly reference: string;
  readonly root: string;
}

function find(wanted: string, { reference, root }: Looking): readonly Found[] | Unopened {
  const kind = statSync(wanted, { throwIfNoEntry: false });
  if (kind?.isDirectory() === true)
    return leaves(wanted, root) ? outside(reference, root) : findInFolder(wanted, reference);
  if (/\.csv$/i.test(wanted))
    return {
      code: 'unsupported_feature',
      message: `${reference}: a CSV file with tests is not supported`,
      hint: 'write one test with `each`, which takes its rows from the file',
    };
  if (kind !== undefined) return [{ path: wanted }];
  if (!/[*?{[]/.test(reference))
    return leaves(wanted, root) ? outside(reference, root) : nothing(`there is no file ${wanted}`);
  const base = wanted.split(/[/\\](?=[^/\\]*[*?{[])/)[0]!;
  if (leaves(base === wanted ? '.' : base, root)) return outside(reference, root);
  const pattern = wanted.split('\\').join('/');
  const matched = globSync(pattern, {
    absolute: true,
    dot: false,
    expandDirectories: false,
    onlyFiles: true,
  });
  const paths = matched.map((path) => normalize(isAbsolute(wanted) ? path : relative('.', path))).sort();
  return paths.length === 0 ? nothing(`no file matches ${wanted}`) : paths.map((path) => ({ path }));
}

/** In a folder of cases, each folder has a `case.yaml`. */
function findInFolder(folder: string, reference: string): readonly Found[] | Unopened {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  const found = names.map((name) => {
    const file = ['case.yaml', 'case.yml'].find(
      (each) => statSync(join(folder, name, each), { throwIfNoEntry: false })?.isFile() === true,
    );
    const hasWorkspace =
      statSync(join(folder, name, 'workspace'), { throwIfNoEntry: false })?.isDirectory() === true;
    return { path: join(folder, name, file ?? ''), id: name, hasWorkspace, isCase: file !== undefined };
  });
  const without = found.find(({ isCase }) => !isCase);
  if (without !== undefined)
    return nothing(
      `the folder ${normalize(without.path)} has no case.yaml`,
      'add it, or move the folder elsewhere',
    );
  if (found.length === 0) return nothing(`the folder ${reference} has no folders with a case.yaml`);
  return found;
}

function readInside(
  found: Found,
  { root, reference, opened }: Looking & { readonly opened: Set<string> },
): CaseFile | Unopened {
  const real = realPath(found.path);
  if (real === undefined) return nothing(`${found.path} cannot be read`);
  const realRoot = realpathSync(root);
  if (!isInside(real, realRoot)) return outside(reference, root);
  if (isPrivate(relative(realRoot, real)))
    return nothing(
      `${found.path} cannot be used: suites may not read \`.env\` files or anything in \`.git\``,
    );
  const read = readSuiteFile(found.path);
  if ('finding' in read) return nothing(`${found.path}: ${read.finding.message}`);
  opened.add(real);
  const { path, id, hasWorkspace } = found;
  return { path, text: read.text, ...(id === undefined ? {} : { id, hasWorkspace: hasWorkspace === true }) };
}

function leaves(path: string, root: string): boolean {
  const real = realPath(path);
  return real === undefined ? !isInside(path, root) : !isInside(real, realpathSync(root));
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function outside(reference: string, root: string): Unopened {
  return {
    code: 'outside_project',
    message: `${reference} is outside the project (${root}), where Assay reads no files`,
    hint: 'copy the file into the project',
  };
}

function nothing(message: string, hint?: string): Unopened {
  return { code: 'case_file', message, ...(hint === undefined ? {} : { hint }) };
}
