import { hideCredentials } from '../../base/match/url-credentials.ts';
import { refine } from '../../base/schema/refine.ts';
import { agentTarget, agentText, isAgentTarget } from './agent-target.ts';
import { RUNS_ELSEWHERE, warnUnobserved } from './target-fields.ts';
import { defineTargetKind } from './target-kind.ts';

/** `agent: https://...`: an HTTP endpoint that takes the whole request. */
export const address = defineTargetKind({
  name: 'address',
  keys: ['agent'],
  schema: refine(agentTarget, (target, reader) =>
    warnUnobserved(
      target,
      reader,
      'write it as a target with `url`, and let Assay start the server (`start`)',
    ),
  ),
  matches: (target) => isAgentTarget(target) && /^https?:\/\//i.test(agentText(target)),
  async create(target, place) {
    const url = agentText(target);
    const { createHttpAgent } = await import('../http-agent.ts');
    return createHttpAgent({ ...place, name: hideCredentials(url), url });
  },
  whyUnobserved: () => RUNS_ELSEWHERE,
  isRemote: true,
  examples: [{ name: 'address', agent: 'http://127.0.0.1:8000/agent' }],
});
