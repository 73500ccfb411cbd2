import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startModelServer, type ModelServer } from '../evidence/model-server.ts';
import { Cluster, inputs, suite } from '../queue/cluster.ts';
import { startRedis, type TestRedis } from '../servers/redis-server.ts';

let redis: TestRedis;
let server: ModelServer;
let cluster: Cluster;
beforeAll(async () => {
  redis = await startRedis();
  server = await startModelServer();
});
afterAll(async () => {
  await cluster?.stop();
  await server.close();
  await redis.stop();
});

test('what workers send to models is in the run of the coordinator, each text once', async () => {
  const agent = `
export const workers = 2;
export const agent = async (input) => {
  const system = { role: 'system', content: 'You help travellers. '.repeat(30) };
  const response = await fetch('${server.url}/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'small', messages: [system, { role: 'user', content: input }] }),
  });
  return (await response.json()).choices[0].message.content.replace('You said: ', 'You said ');
};
`;
  cluster = new Cluster(`${redis.url}/0`, { 'a.test.yaml': suite(inputs('t', 12)), 'agent.mjs': agent });
  cluster.worker();
  cluster.worker();
  const run = cluster.run('a.test.yaml');
  expect(await run.ended, run.stdout + run.stderr).toBe(0);
  const systems = cluster.records().map(({ steps }) => steps[0]!.timeline![0]!.sent!.system);
  expect(systems).toHaveLength(12);
  expect(new Set(systems).size).toBe(1);
  const folder = join(cluster.path, '.assay', 'runs');
  const texts = readFileSync(join(folder, readdirSync(folder)[0]!, 'texts.jsonl'), 'utf8');
  expect(texts.split('You help travellers. You help').length).toBeGreaterThan(1);
  expect(texts.trim().split('\n')).toHaveLength(1);
  expect(JSON.parse(texts)).toMatchObject({ id: systems[0] });
});
