import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** What every program needs, and what says nothing about its user. */
const PLAIN = /^(?:PATH|LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|SHELL|USER|LOGNAME|SystemRoot|ComSpec|PATHEXT)$/;

/** Of Assay itself: its marks on processes, and where it receives telemetry. */
const OWN = /^(?:ASSAY_(?:PROCESS|OWNER)|OTEL_(?!.*HEADERS).*)$/;

/** Folders of settings, each below the new home. */
const FOLDERS: Readonly<Record<string, string>> = {
  XDG_CONFIG_HOME: '.config',
  XDG_DATA_HOME: '.local/share',
  XDG_STATE_HOME: '.local/state',
  XDG_CACHE_HOME: '.cache',
  XDG_RUNTIME_DIR: '.run',
  CLAUDE_CONFIG_DIR: '.claude',
  CODEX_HOME: '.codex',
  GEMINI_CLI_HOME: '.',
  COPILOT_HOME: '.copilot',
  OPENCODE_CONFIG_DIR: '.config/opencode',
  CURSOR_CONFIG_DIR: '.cursor',
  GIT_CONFIG_GLOBAL: '.gitconfig',
  NPM_CONFIG_USERCONFIG: '.npmrc',
  TMPDIR: '.tmp',
};

/** The environment of a program with an empty home: only what is declared is passed on. */
export function cleanEnvironment(
  env: NodeJS.ProcessEnv,
  home: string,
  declared: ReadonlySet<string>,
): NodeJS.ProcessEnv {
  const clean: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(env))
    if (PLAIN.test(name) || OWN.test(name) || declared.has(name)) clean[name] = value;
  clean['HOME'] = home;
  for (const [name, way] of Object.entries(FOLDERS)) {
    // The operator names these folders of the suite on purpose.
    if (declared.has(name)) continue;
    clean[name] = join(home, way);
    if (name === 'GIT_CONFIG_GLOBAL' || name === 'NPM_CONFIG_USERCONFIG') continue;
    if (name === 'XDG_RUNTIME_DIR' || name === 'TMPDIR')
      mkdirSync(join(home, way), { recursive: true, mode: 0o700 });
  }
  return clean;
}

/** Where a hook of git, or the operator, says that the repository is. */
const REPOSITORY =
  /^GIT_(?:DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|PREFIX|NAMESPACE|SHALLOW_FILE)$/;

/** The operator's environment, for a program whose repository is its workspace. */
export function ownEnvironment(env: NodeJS.ProcessEnv, declared: ReadonlySet<string>): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !REPOSITORY.test(name) || declared.has(name)),
  );
}
