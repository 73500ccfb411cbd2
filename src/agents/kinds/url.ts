import type { Json, JsonObject } from '../../base/model/json.ts';
import { mapOf, object } from '../../base/schema/object.ts';
import type { Reader } from '../../base/schema/reader.ts';
import { given, refine } from '../../base/schema/refine.ts';
import { anyJson, text } from '../../base/schema/values.ts';
import { isHttp, urlProblem } from './url-problem.ts';
import {
  argv,
  COMMON,
  hasKey,
  VARIABLE,
  words,
  OBSERVED,
  RUNS_ELSEWHERE,
  SETTINGS,
  warnUnobserved,
} from './target-fields.ts';
import { defineTargetKind } from './target-kind.ts';

/** `url: https://...`: an HTTP endpoint, how to speak with it, and how to start it. */
export const url = defineTargetKind({
  name: 'url',
  keys: ['url'],
  schema: refine(
    object(
      {
        ...COMMON,
        ...OBSERVED,
        ...SETTINGS,
        url: { schema: refine(words, checkUrl), doc: 'An HTTP endpoint.', missing: 'missing_url' },
        method: { schema: words, doc: 'Default: POST.' },
        headers: { schema: mapOf(text()), doc: 'Headers of each request.' },
        body: {
          schema: anyJson(),
          doc: 'The body, with `{{input}}`, `{{memory}}` and similar. Default: the whole request.',
        },
        reply: {
          schema: mapOf(text()),
          doc: 'Where to find `output`, `tools_used`, `memory` and similar fields in the response.',
        },
        start: { schema: argv, doc: 'A server to start first: a program and its arguments.' },
        healthcheck: { schema: words, doc: 'A URL or path that answers when the server is ready.' },
      },
      { what: 'a target with `url`' },
    ),
    (target, reader) => {
      checkHealthcheckPath(target, reader);
      if (!given(target, 'start')) warnUnobserved(target, reader, 'let Assay start the server (`start`)');
    },
  ),
  when: { required: ['url'], not: { required: ['provider'] } },
  matches: (target) => hasKey(target, 'url'),
  async create(target, place) {
    const { createHttpAgent } = await import('../http-agent.ts');
    return createHttpAgent({ ...target, ...place, observe: place.observe });
  },
  withArgs: (target, args) =>
    given(target, 'start')
      ? { ...target, start: [...(target['start'] as readonly string[]), ...args] }
      : undefined,
  startsProgram: (target) => given(target, 'start'),
  whyUnobserved: ({ start }) => (start === undefined ? RUNS_ELSEWHERE : undefined),
  code: ({ start }) => (start === undefined ? [] : [{ words: start }]),
  examples: [
    { name: 'endpoint', url: 'http://127.0.0.1:8000/agent' },
    {
      name: 'endpoint',
      url: 'http://127.0.0.1:8000/agent',
      body: { input: '{{input}}', memory: '{{memory}}' },
    },
  ],
});

function checkUrl(address: Json, reader: Reader): void {
  const problem = urlProblem(address as string);
  if (problem !== undefined) reader.error({ code: 'url', ...problem });
}

/** The health check is a URL, or a path of the server. */
function checkHealthcheckPath(target: Json, reader: Reader): void {
  const { url: address, healthcheck } = target as JsonObject;
  if (typeof address !== 'string' || typeof healthcheck !== 'string') return;
  if ([address, healthcheck].some((each) => each.search(VARIABLE) !== -1)) return;
  if (urlProblem(address) !== undefined) return;
  const isPath = URL.canParse(healthcheck, address) && isHttp(new URL(healthcheck, address));
  if (isPath) return;
  reader.error({
    code: 'healthcheck',
    message: `${JSON.stringify(healthcheck)} is neither a URL nor a path`,
    hint: 'write it as http://host:port/path, or as /path',
    at: ['healthcheck'],
  });
}
