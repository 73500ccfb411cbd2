/**
 * Variables that decide which program runs, what code it loads, or where its traffic goes. They belong to the person at
 * the keyboard: a file of the project may not set them.
 */
const PROTECTED = [
  // Where programs and their settings are found.
  'PATH',
  'PATHEXT',
  'SHELL',
  'COMSPEC',
  'HOME',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'XDG_*',
  // Code that the system, a shell or an interpreter loads first.
  'LD_*',
  'DYLD_*',
  'GCONV_PATH',
  'BASH_*',
  'ENV',
  'ZDOTDIR',
  'SHELLOPTS',
  'BASHOPTS',
  'PS4',
  'IFS',
  'PROMPT_COMMAND',
  'NODE_*',
  'NPM_*',
  'BUN_*',
  'DENO_*',
  'TSX_*',
  'TS_NODE_*',
  'JITI_*',
  'PYTHON*',
  'PERL*',
  'RUBY*',
  'GEM_*',
  'BUNDLE_*',
  'LUA_*',
  'PHPRC',
  'PHP_INI_SCAN_DIR',
  'JAVA_TOOL_OPTIONS',
  '_JAVA_OPTIONS',
  'JDK_JAVA_OPTIONS',
  'CLASSPATH',
  'DOTNET_*',
  'CORECLR_*',
  'COMPLUS_*',
  // Programs that other programs start.
  'EDITOR',
  'VISUAL',
  'BROWSER',
  'PAGER',
  'GIT_*',
  'SSH_*',
  // Where traffic goes, and whom it trusts.
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'SSL_*',
  'OPENSSL_*',
  // Assay's own.
  'ASSAY_*',
];

/** Says which mode a program runs in, and nothing else. */
const HARMLESS = new Set(['NODE_ENV']);

const NAMES = new Set(PROTECTED.filter((name) => !name.endsWith('*')));
const PREFIXES = PROTECTED.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));

/** In any case: programs read `http_proxy` too, and some systems know no difference. */
export function isProtectedVariable(name: string): boolean {
  const upper = name.toUpperCase();
  if (HARMLESS.has(upper)) return false;
  return NAMES.has(upper) || PREFIXES.some((prefix) => upper.startsWith(prefix));
}
