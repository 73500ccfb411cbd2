import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { COMMANDS } from '../../src/cli/options.ts';
import { parseArguments } from '../../src/cli/parse-arguments.ts';
import { Cluster, suite } from '../queue/cluster.ts';
import { freePort } from '../servers/free-port.ts';
import { startRedis } from '../servers/redis-server.ts';

const FOLDER = fileURLToPath(new URL('../../examples/cluster', import.meta.url));
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string }[];
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly template?: {
      readonly spec: { readonly containers: readonly Container[]; readonly volumes?: readonly Volume[] };
    };
  };
}

interface Volume {
  readonly persistentVolumeClaim: { readonly claimName: string };
}

/** A command line of Assay that its parser accepts, and whose variable for the queue is set. */
function expectCommand(args: readonly string[], variables: readonly string[]): void {
  const [name, ...rest] = args;
  expect(Object.keys(COMMANDS)).toContain(name);
  const parsed = parseArguments(rest, COMMANDS[name!]!.options);
  expect(parsed).not.toHaveProperty('problem');
  if ('options' in parsed) expect(variables).toContain(parsed.options['queue']);
}

test('docker-compose.yml runs commands that exist', () => {
  const { services } = parse(read('docker-compose.yml')) as {
    services: Record<string, { command: string; environment?: object; depends_on?: object; build?: string }>;
  };
  expect(Object.keys(services)).toEqual(['redis', 'worker', 'run']);
  for (const { command, environment, depends_on, build } of [services['worker']!, services['run']!]) {
    expectCommand(command.split(' '), Object.keys(environment!));
    expect(depends_on).toEqual({ redis: { condition: 'service_healthy' } });
    expect(build).toBe('.');
  }
  expect(read('Dockerfile')).toContain('ENTRYPOINT ["npx", "assay"]');
  expect(read('Dockerfile')).toMatch(/npm install --no-save bullmq ioredis pg$/m);
  expect(read('.dockerignore').split('\n')).toEqual(
    expect.arrayContaining(['.env', '**/.env', '.git', 'node_modules']),
  );
});

test('the commands of both files run a suite, even if Redis starts last', async () => {
  const { services } = parse(read('docker-compose.yml')) as {
    services: Record<string, { command: string }>;
  };
  const containers = parseAllDocuments(read('kubernetes.yaml'))
    .flatMap((document) => (document.toJS() as Manifest).spec.template?.spec.containers ?? [])
    .filter(({ image }) => image === 'registry.example/agent-tests');
  const port = await freePort();
  const env = { QUEUE_URL: `redis://127.0.0.1:${port}` };
  const cluster = new Cluster(env.QUEUE_URL, {
    'tests/a.test.yaml': suite(['t0', 't1']),
    'assay.config.yaml': 'agent: ./agent.mjs\n',
  });
  const worker = cluster.start(services['worker']!.command.split(' '), { env });
  const run = cluster.start(services['run']!.command.split(' '), { env });
  await worker.says('; waiting');
  await run.says('cannot be used: connect ECONNREFUSED');
  const flags = services['redis']!.command.split(' ').slice(1);
  const redis = await startRedis({ port, flags });
  try {
    expect(await run.ended).toBe(0);
    const [workerArgs, runArgs] = containers.map(({ args }) => args);
    cluster.start(workerArgs!, { env });
    expect(await cluster.start(runArgs!, { env }).ended).toBe(0);
    // The run of the first is continued by --resume of the second, which finds nothing left to do.
    expect(cluster.records().map(({ verdict }) => verdict)).toEqual(['passed', 'passed']);
  } finally {
    await cluster.stop();
    await redis.stop();
  }
}, 180_000);

test('kubernetes.yaml has a deployment of workers and a job, with commands that exist', () => {
  const documents = parseAllDocuments(read('kubernetes.yaml'));
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  const manifests = documents.map((document) => document.toJS() as Manifest);
  expect(manifests.map(({ kind }) => kind)).toEqual([
    'Deployment',
    'Service',
    'Deployment',
    'Job',
    'PersistentVolumeClaim',
  ]);
  const ours = manifests
    .flatMap(({ spec }) => spec.template?.spec.containers ?? [])
    .filter(({ image }) => image === 'registry.example/agent-tests');
  expect(ours.map(({ args }) => args[0])).toEqual(['worker', 'run']);
  for (const { args, env } of ours)
    expectCommand(
      args,
      env!.map(({ name }) => name),
    );
  const claims = manifests.flatMap(({ spec }) => spec.template?.spec.volumes ?? []);
  expect(claims.map(({ persistentVolumeClaim }) => persistentVolumeClaim.claimName)).toEqual([
    manifests.at(-1)!.metadata.name,
  ]);
});
