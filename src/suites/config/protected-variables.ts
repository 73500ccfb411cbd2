/**
 * Variables that decide which program runs, what code it loads, or where its traffic goes. Only the user may set
 * them, not a file of the project. `*` stands for any characters at the beginning or the end.
 */
const PROTECTED = {
  'where programs, libraries and settings are found': `
    PATH PATHEXT CDPATH SHELL *_SHELL COMSPEC HOME USERPROFILE APPDATA LOCALAPPDATA PROGRAMDATA
    PROGRAMFILES* SYSTEMROOT WINDIR XDG_*`,
  'what the system loads into every program': `
    LD_* DYLD_* LIBPATH SHLIB_PATH GCONV_PATH GLIBC_TUNABLES LOCPATH NLSPATH TERMINFO TERMINFO_DIRS
    TERMCAP GTK_MODULES GTK_PATH GIO_* QT_PLUGIN_PATH *_PRELOAD`,
  'what shells execute': `
    BASH_* BASHOPTS SHELLOPTS ENV ZDOTDIR FPATH PS0 PS1 PS2 PS3 PS4 IFS PROMPT_COMMAND INPUTRC
    PSMODULEPATH`,
  'JavaScript and TypeScript': `
    NODE_* NPM_* PNPM_* YARN_* COREPACK_* NVM_* VOLTA_* FNM_* BUN_* DENO_* TSX_* TS_NODE_* JITI_*
    ESBUILD_* SWC_*`,
  Python: `
    PYTHON* PYTEST_* PIP_* PIPX_* PIPENV_* POETRY_* PDM_* HATCH_* RYE_* UV_* PYENV_* VIRTUAL_ENV
    VIRTUALENV_* CONDA_* MAMBA_*`,
  'the JVM': `
    JAVA_* _JAVA_OPTIONS JDK_* JRE_* JAVACMD JVM_* CLASSPATH MAVEN_* M2_HOME GRADLE_* SBT_* SCALA_*
    KOTLIN_* GROOVY_* LEIN_* CATALINA_* *_OPTS`,
  'Go, Rust, C and their tools': `
    GOFLAGS GOROOT GOPATH GOBIN GOENV GOWORK GODEBUG GOTOOLCHAIN GOPROXY GOPRIVATE GONOPROXY GOSUMDB
    GONOSUMDB GOINSECURE GOVCS GOAUTH GOTOOLDIR GOCACHE GOMODCACHE CGO_* RUSTC RUSTC_* RUSTDOC
    RUSTDOCFLAGS RUSTFLAGS RUSTUP_* CARGO CARGO_* *_WRAPPER CC CXX CPP LD CFLAGS CXXFLAGS CPPFLAGS LDFLAGS
    MAKEFLAGS MFLAGS GNUMAKEFLAGS MAKEFILES CMAKE_* PKG_CONFIG*`,
  'other languages': `
    PERL* RUBY* GEM_* BUNDLE_* RBENV_* LUA_* PHP_INI_SCAN_DIR PHPRC COMPOSER_* DOTNET_* CORECLR_*
    COMPLUS_* MSBUILD* NUGET_* ERL_* ELIXIR_* MIX_HOME MIX_ARCHIVES MIX_PATH MIX_EXS REBAR_* JULIA_* R_*
    RSTUDIO_* GHC_* GHCRTS STACK_ROOT STACK_YAML CABAL_* OCAML* CAML_* OPAM* DART_* GUILE_* SBCL_*
    TCLLIBPATH AWKPATH AWKLIBPATH ASDF_* MISE_*`,
  'programs that other programs start, and what they are told': `
    EDITOR VISUAL *_EDITOR PAGER *PAGER BROWSER LESS LESSOPEN LESSCLOSE LESSKEYIN *_ASKPASS *_RSH
    *_EXECUTABLE *_EXECUTABLE_PATH *_BINARY *_BINARY_PATH CHROME_PATH CHROME_BIN VIMINIT EXINIT GIT_*
    SSH_* GNUPGHOME HGRCPATH SVN_SSH TAR_OPTIONS GREP_OPTIONS KUBECONFIG DOCKER_HOST DOCKER_CONFIG
    DOCKER_CONTEXT DOCKER_CERT_PATH AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE GOOGLE_EXTERNAL_ACCOUNT_*
    CLAUDE_CONFIG_DIR CODEX_HOME`,
  'where traffic goes, and whom it trusts': `
    *_PROXY HOSTALIASES RES_OPTIONS LOCALDOMAIN SSL_* SSLKEYLOGFILE OPENSSL_* *_CA_BUNDLE *_CA_CERTS
    *_CERT_FILE GRPC_DEFAULT_SSL_ROOTS_FILE_PATH CURL_HOME WGETRC NETRC KRB5_*`,
  "Assay's own": 'ASSAY_*',
};

/** They only say which mode a program runs in. */
const HARMLESS = new Set(['NODE_ENV', 'DENO_ENV', 'BUN_ENV', 'DOTNET_ENVIRONMENT', 'MIX_ENV']);

const WORDS = Object.values(PROTECTED).flatMap((words) => words.trim().split(/\s+/));
const isPattern = (word: string): boolean => word.includes('*');
const NAMES = new Set(WORDS.filter((word) => !isPattern(word)));
const PATTERN = new RegExp(
  `^(?:${WORDS.filter(isPattern)
    .map((word) => word.replaceAll('*', '.*'))
    .join('|')})$`,
  's',
);

/** Case does not matter: programs read `http_proxy` too, and some systems ignore case. */
export function isProtectedVariable(name: string): boolean {
  const upper = name.toUpperCase();
  return !HARMLESS.has(upper) && (NAMES.has(upper) || PATTERN.test(upper));
}
