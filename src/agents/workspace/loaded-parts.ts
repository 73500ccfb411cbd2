import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nameMatcher } from '../../base/match/glob.ts';
import type { LoadedParts } from '../../base/model/workspace.ts';
import type { WorkspaceWarning } from './open-workspace.ts';

/** Instructions that coding agents look for in every folder above their own. */
const INSTRUCTIONS = [
  'AGENTS.md',
  'CLAUDE.md',
  'CLAUDE.local.md',
  'GEMINI.md',
  '.mcp.json',
  '.claude',
  '.git',
];

export function instructionsAbove(folder: string): readonly string[] {
  const found: string[] = [];
  for (let above = folder; ; above = dirname(above)) {
    for (const name of INSTRUCTIONS) if (existsSync(join(above, name))) found.push(join(above, name));
    if (above === dirname(above)) return found;
  }
}

interface Declared {
  /** The workspace as the agent got it. */
  readonly before: string;
  readonly loads: readonly string[];
}

/** What a program loaded and the suite did not give it. */
export function undeclaredParts(
  loaded: LoadedParts | undefined,
  above: readonly string[],
  { before, loads }: Declared,
): readonly WorkspaceWarning[] {
  const isDeclared = nameMatcher(loads);
  const own: Readonly<Record<string, ReadonlySet<string>>> = {
    mcp_servers: new Set(serversOf(join(before, '.mcp.json'))),
    skills: new Set(
      ['.claude/skills', '.agents/skills', '.claude/commands'].flatMap((way) => namesIn(join(before, way))),
    ),
    agents: new Set(namesIn(join(before, '.claude/agents'))),
    plugins: new Set(),
  };
  const undeclared = Object.entries(own).flatMap(([part, names]) =>
    (loaded?.[part as 'skills'] ?? [])
      .filter((name) => !names.has(name) && !isDeclared(name))
      .map((name) => `${name} (${part.replace('_', ' ')})`),
  );
  const all = [...undeclared, ...above.filter((path) => !isDeclared(path.slice(1)))];
  if (all.length === 0) return [];
  return [
    {
      code: 'undeclared_load',
      message: `the agent loaded what the suite does not declare: ${all.join(', ')}`,
      hint: 'remove it from the machine, or declare it: `environment: { loads: [...] }`',
    },
  ];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => name.replace(/\.md$/, ''));
  } catch {
    return [];
  }
}

function serversOf(file: string): readonly string[] {
  try {
    const { mcpServers = {} } = JSON.parse(readFileSync(file, 'utf8')) as { mcpServers?: object };
    return Object.keys(mcpServers);
  } catch {
    return [];
  }
}
