import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CompletionItemKind } from 'vscode-languageserver/node';
import { isInside } from '../base/files/is-inside.ts';
import type { Proposal } from './complete.ts';
import type { FoundNode } from './node-at.ts';

/** The names of a project that a document may use. */
export interface ProjectNames {
  readonly targets: readonly string[];
  /** Names of tools in this document, and of those that agents used in the last runs. */
  readonly tools: readonly string[];
  /** Ids of conversations and tests in this document. */
  readonly ids: readonly string[];
  /** The folder that paths are relative to; undefined for a document without one. */
  readonly folder: string | undefined;
  readonly root: string | undefined;
}

/** What can be said by a name or a path at this place. */
export function proposeNames({ path, text }: FoundNode, names: ProjectNames): readonly Proposal[] {
  const key = path.findLast((segment) => typeof segment === 'string');
  const parent = path.findLast((segment, index) => typeof segment === 'string' && path[index] !== key);
  switch (key) {
    case 'target':
    case 'targets':
    case 'judge':
    case 'judge_target':
      return names.targets.map((value) => ({ value, kind: CompletionItemKind.Reference }));
    case 'tools_used':
    case 'tools_used.includes':
    case 'tools_used.excludes':
    case 'tools_used.in_order':
    case 'tool':
    case 'forbidden':
      return names.tools.map((value) => ({ value, kind: CompletionItemKind.Function }));
    case 'conversation_id':
      return names.ids.map((value) => ({ value, kind: CompletionItemKind.Reference }));
    case 'prompt':
    case 'prompts':
    case 'each':
    case 'schema':
    case 'tests':
    case 'cases':
    case 'agent':
    case 'evaluators':
    case 'value':
      return key === 'value' && parent !== 'content' ? [] : files(text, names);
    default:
      return [];
  }
}

/** The files and folders beside the document, as far as a path is typed. */
function files(text: string, { folder, root }: ProjectNames): readonly Proposal[] {
  if (folder === undefined || root === undefined) return [];
  const typed = text.replace(/assayCursor\uE000.*$/s, '');
  const scheme = typed.startsWith('file://') ? 'file://' : '';
  const written = typed.slice(scheme.length);
  const beginning = written.slice(0, written.lastIndexOf('/') + 1);
  const searched = join(folder, beginning);
  if (!isInside(searched, root)) return [];
  try {
    return readdirSync(searched, { withFileTypes: true })
      .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
      .slice(0, MOST_FILES)
      .map((entry) => ({
        value: `${scheme}${beginning === '' ? './' : beginning}${entry.name}${entry.isDirectory() ? '/' : ''}`,
        kind: entry.isDirectory() ? CompletionItemKind.Folder : CompletionItemKind.File,
      }));
  } catch {
    return [];
  }
}

const MOST_FILES = 500;
