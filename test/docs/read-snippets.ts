import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A fenced block of a page, with what the comment before it says. */
export interface Snippet {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
  readonly directives: ReadonlyMap<string, string>;
}

/** The pages whose snippets and links are checked. */
export function pages(root: string): readonly string[] {
  const markdown = (folder: string): string[] =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
      .map((name) => join(folder, name));
  return [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    ...markdown('contributing'),
    ...markdown('docs'),
    ...markdown('examples'),
  ].sort();
}

/**
 * The fenced blocks of a page. A comment right before one says what to do with it:
 * `file: NAME` write it there; `executable` make it a program; `data` it is no suite, only a file for what follows;
 * `finding: CODE` it has that finding; `exit: N` the commands end so; `output` it is what the last command printed;
 * `output: part` a part of that; `shows stderr` the output below is what these commands print to stderr;
 * `edit: FILE: A -> B` changes a file before the commands run;
 * `output: json` the commands print JSON; `not run: REASON`.
 */
export function readSnippets(root: string, page: string): readonly Snippet[] {
  const lines = readFileSync(join(root, page), 'utf8').split('\n');
  const snippets: Snippet[] = [];
  let directives = new Map<string, string>();
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    const comment = /^<!-- (.*) -->$/.exec(line)?.[1];
    const language = /^```(\w+)$/.exec(line)?.[1];
    if (comment !== undefined) directives = readDirectives(comment);
    else if (language !== undefined) {
      const end = lines.indexOf('```', index + 1);
      const text = `${lines.slice(index + 1, end).join('\n')}\n`;
      snippets.push({ page, line: index + 1, language, text, directives });
      directives = new Map();
      index = end;
    } else if (line !== '') directives = new Map();
  }
  return snippets;
}

function readDirectives(comment: string): Map<string, string> {
  return new Map(
    comment.split(';').map((part) => {
      const [name, ...value] = part.split(':');
      return [name!.trim(), value.join(':').trim()];
    }),
  );
}
