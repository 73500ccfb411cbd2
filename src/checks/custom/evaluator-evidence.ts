import type { Evidence } from '../../base/model/evidence.ts';
import { setOwn, type Json, type JsonObject } from '../../base/model/json.ts';
import type { EvaluatorEvidence } from '../contract/custom-evaluator.ts';
import type { EvaluationTools } from '../contract/evaluation-tools.ts';
import { judgePayload } from '../judge-payload.ts';
import { madeCalls, plainCalls } from '../made-calls.ts';

/** By evidence: every custom evaluator of a test gets the same copy. */
const views = new WeakMap<Evidence, EvaluatorEvidence>();

/**
 * The evidence for custom evaluators: what scripts that judge get, and more. It is a frozen copy, so that no evaluator
 * can change what others see. Unknown parts are null, not empty.
 */
export function evaluatorEvidence(
  evidence: Evidence,
  tools: Pick<EvaluationTools, 'findFile'>,
): EvaluatorEvidence {
  let view = views.get(evidence);
  if (view === undefined) views.set(evidence, (view = createView(evidence, tools)));
  return view;
}

function createView(evidence: Evidence, tools: Pick<EvaluationTools, 'findFile'>): EvaluatorEvidence {
  const { test, file, reply, memoryBefore, durationMs } = evidence;
  const { config: _config, ...judged } = judgePayload(evidence, undefined, tools);
  const calls = allCalls(evidence);
  const { id, description = null, tags, metadata = {} } = test;
  return frozenCopy({
    test: { id, file, description, tags, metadata },
    ...judged,
    output: reply.output,
    tool_calls: calls ?? null,
    tools_used: calls?.map(({ tool }) => tool!) ?? null,
    memory_before: memoryBefore,
    token_usage: (reply.token_usage as JsonObject | undefined) ?? null,
    cost_usd: reply.cost_usd ?? null,
    duration_ms: durationMs ?? null,
    time_to_first_token_ms: reply.time_to_first_token_ms ?? null,
    model_calls: reply.model_calls ?? null,
    models: reply.models ?? null,
  });
}

/** With those that were observed and not reported: an evaluator that forbids a tool must see them. */
function allCalls({ reply }: Evidence): readonly JsonObject[] | undefined {
  const made = madeCalls(reply);
  return made === undefined ? undefined : plainCalls([...made, ...(reply.unreported_calls ?? [])]);
}

/** A deep copy that cannot be changed. Fields that are undefined are left out. */
export function frozenCopy<T extends Json>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Object.freeze((value as readonly Json[]).map(frozenCopy)) as unknown as T;
  const copy: Record<string, Json> = {};
  for (const key of Object.keys(value)) {
    const member = (value as JsonObject)[key];
    if (member !== undefined) setOwn(copy, key, frozenCopy(member));
  }
  return Object.freeze(copy) as T;
}
