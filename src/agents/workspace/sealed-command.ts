import { spawnSync } from 'node:child_process';
import { modelRoutes } from '../../evidence/observe/model-addresses.ts';
import { RELAY, type NetworkGate } from './network-gate.ts';

/** How a program is put into its sandbox. */
export interface Sandbox {
  readonly kind: 'namespace' | 'docker' | 'run_in' | 'none';
  readonly gate?: NetworkGate | undefined;
  readonly docker?: { readonly image: string; readonly name: string } | undefined;
  readonly runIn?: readonly string[] | undefined;
  /** Folders that a container sees, under the same paths. */
  readonly folders: readonly string[];
}

export interface StartedProgram {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** The port of the gate inside of a sealed network. */
const GATE_PORT = 8888;

/** The words and the environment that start a program inside of its sandbox. */
export async function sealCommand(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  { sandbox, cwd }: { readonly sandbox: Sandbox; readonly cwd: string },
): Promise<StartedProgram> {
  const { kind, gate, docker, runIn, folders } = sandbox;
  if (kind === 'none') return { argv, env };
  if (kind === 'run_in') return { argv: [...runIn!, ...argv], env };
  const inside = gate === undefined ? env : { ...env, ...gateVariables(env) };
  const relayed =
    gate === undefined
      ? argv
      : await relay(argv, { env: inside, gate, node: kind === 'docker' ? 'node' : process.execPath });
  if (kind === 'namespace') return { argv: [...NAMESPACE, ...relayed], env: inside };
  const mounts = folders.flatMap((folder) => ['--volume', `${folder}:${folder}`]);
  const names = Object.keys(inside).filter((name) => inside[name] !== undefined && !ONLY_HERE.has(name));
  const user = process.getuid === undefined ? [] : ['--user', `${process.getuid()}:${process.getgid!()}`];
  return {
    argv: [
      'docker',
      'run',
      '--rm',
      '--interactive',
      '--init',
      `--name=${docker!.name}`,
      ...(gate === undefined ? [] : ['--network=none']),
      '--cap-drop=ALL',
      '--security-opt=no-new-privileges',
      ...user,
      ...mounts,
      `--workdir=${cwd}`,
      // Their values are not on the command line, where others could read them.
      ...names.flatMap((name) => ['--env', name]),
      docker!.image,
      ...relayed,
    ],
    // The program `docker` itself needs its own home and PATH.
    env: { ...inside, PATH: process.env['PATH'] },
  };
}

/** Of this machine; the container has its own. */
const ONLY_HERE: ReadonlySet<string> = new Set([
  'PATH',
  'SHELL',
  'USER',
  'LOGNAME',
  'PWD',
  'OLDPWD',
  'ASSAY_OWNER',
  'ASSAY_PROCESS',
]);

/** A network of its own with nothing but a loopback, and processes of its own, which end with the first. */
const NAMESPACE = [
  'unshare',
  '--user',
  '--map-current-user',
  '--keep-caps',
  '--net',
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
  'sh',
  '-c',
  'ip link set lo up && exec "$@"',
  'sh',
];

/** Why this user cannot create a network namespace here. Undefined: it can. */
export function whyNoNamespace(): string | undefined {
  const [program, ...args] = [...NAMESPACE, 'true'];
  const { status, error, stderr } = spawnSync(program!, args, { encoding: 'utf8', timeout: 20_000 });
  if (status === 0) return undefined;
  return error === undefined
    ? stderr.trim() || `\`unshare\` exited with code ${status}`
    : '`unshare` is not installed';
}

/** Programs that honour a proxy reach other hosts through the gate; what does not has no way out. */
function gateVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const proxy = `http://127.0.0.1:${GATE_PORT}`;
  const set = (names: readonly string[], value: string) => names.map((name) => [name, value] as const);
  return Object.fromEntries([
    ...Object.keys(env).flatMap((name) => (/^all_proxy$/i.test(name) ? [[name, undefined] as const] : [])),
    ...set(['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'], proxy),
    ...set(['NO_PROXY', 'no_proxy'], '127.0.0.1,localhost'),
    // Node 22.21 and newer read the variables above only so.
    ['NODE_USE_ENV_PROXY', '1'],
  ]);
}

async function relay(
  argv: readonly string[],
  { env, gate, node }: { readonly env: NodeJS.ProcessEnv; readonly gate: NetworkGate; readonly node: string },
): Promise<readonly string[]> {
  const ways = [`${GATE_PORT}=${gate.socket}`];
  for (const port of localModelPorts(env)) ways.push(`${port}=${await gate.forward(port)}`);
  return [node, '-e', RELAY, '--', ways.join(','), ...argv];
}

/** The ports of model APIs on this machine: usually that of the observing proxy. */
function localModelPorts(env: NodeJS.ProcessEnv): ReadonlySet<number> {
  const ports = modelRoutes(env).flatMap(({ upstream: { hostname, port } }) =>
    /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(hostname) && port !== '' ? [Number(port)] : [],
  );
  return new Set(ports.filter((port) => port !== GATE_PORT));
}

/** Variables with the addresses of model APIs: they are no secrets. */
export function modelVariables(env: NodeJS.ProcessEnv): readonly string[] {
  return modelRoutes(env).map(({ variable }) => variable);
}

/** Hosts of model APIs that a program calls by itself. */
export function modelHosts(env: NodeJS.ProcessEnv): readonly string[] {
  return [...new Set(modelRoutes(env).map(({ upstream }) => upstream.host || upstream.hostname))];
}
