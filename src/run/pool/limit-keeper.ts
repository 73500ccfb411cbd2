import type { CostOf } from '../../agents/contract.ts';
import { FORWARD, type BeforeCall } from '../../evidence/observe/before-call.ts';
import type { SeenCalls } from '../../evidence/observe/observation.ts';
import type { Exchange } from '../../evidence/exchange.ts';
import { useOfExchange } from '../../evidence/wire/use-of-exchange.ts';
import { LIMIT_NAMES, type AttemptLimits } from '../../base/model/limits.ts';
import type { Reply } from '../../base/model/reply.ts';
import { totalTokens } from '../../base/model/usage.ts';

type LimitName = (typeof LIMIT_NAMES)[number];
/** Undefined: not known. */
type Use = { readonly [Name in LimitName]: number | undefined };

export interface LimitKeeperOptions {
  readonly limits: AttemptLimits;
  readonly costOf: CostOf | undefined;
}

/** Keeps one attempt within its limits: by refusing model calls that it sees, else by what the agent reports. */
export class LimitKeeper {
  private readonly limits: AttemptLimits;
  private readonly costOf: CostOf | undefined;
  private readonly seen: Exchange[] = [];
  private reported: Use = NOTHING;

  constructor({ limits, costOf }: LimitKeeperOptions) {
    this.limits = limits;
    this.costOf = costOf;
  }

  get allowsUnseen(): boolean {
    return this.limits.unseen === 'allow';
  }

  /** The call beyond a limit is refused. What a call uses is known only when it is over, so the one that crosses it goes through. */
  readonly beforeCall: BeforeCall = ({ isModelCall }, before) => {
    if (!isModelCall) return FORWARD;
    const use = this.useOf(before);
    const reached = this.names().find((name) => isReached(name, use, this.limits));
    if (reached !== undefined)
      return {
        do: 'refuse',
        kind: 'limit',
        message: `${this.describe(reached)}: one more model call was refused`,
      };
    const unknown = before.length === 0 ? undefined : this.names().find((name) => use[name] === undefined);
    return unknown === undefined
      ? FORWARD
      : {
          do: 'refuse',
          kind: 'limit',
          message: `${UNKNOWN[unknown]}, so \`limits.${unknown}\` cannot be kept`,
        };
  };

  /** What a step used. Says which limit is broken, or that one cannot be checked. */
  addStep(seen: SeenCalls | undefined, reply: Reply): { readonly broken?: string; readonly unseen?: string } {
    this.seen.push(...(seen?.exchanges ?? []));
    this.reported = addUse(this.reported, reportedUse(reply));
    const use = this.seen.length > 0 ? this.useOf(this.seen) : this.reported;
    const broken = this.names().find((name) => (use[name] ?? 0) > this.limits[name]!);
    if (broken !== undefined) return { broken: `${this.describe(broken)}: it used ${use[broken]}` };
    const unseen = this.names().filter((name) => use[name] === undefined);
    return unseen.length === 0 ? {} : { unseen: unseen.map((name) => `\`limits.${name}\``).join(', ') };
  }

  private names(): readonly LimitName[] {
    return LIMIT_NAMES.filter((name) => this.limits[name] !== undefined);
  }

  private describe(name: LimitName): string {
    return `the attempt reached its limit of ${this.limits[name]} ${UNITS[name]}`;
  }

  private useOf(exchanges: readonly (Exchange | undefined)[]): Use {
    let use = NOTHING;
    for (const exchange of exchanges) use = addUse(use, this.useOfCall(exchange));
    return use;
  }

  /** A call that failed used nothing. One that is under way, or broke off, is a call. */
  private useOfCall(exchange: Exchange | undefined): Use {
    if (exchange === undefined) return { ...NOTHING, model_calls: 1 };
    const found = useOfExchange(exchange);
    if (found === undefined || found.outcome === 'failed') return NOTHING;
    const { usage, model, tool_calls } = found;
    if (found.outcome !== 'answered') return { ...NOTHING, model_calls: 1 };
    return {
      model_calls: 1,
      tokens: usage === undefined ? undefined : totalTokens(usage),
      cost_usd: model === undefined || usage === undefined ? undefined : this.costOf?.(model, usage),
      tool_calls: tool_calls.length,
    };
  }
}

const NOTHING: Use = { model_calls: 0, tokens: 0, cost_usd: 0, tool_calls: 0 };

const UNITS: Readonly<Record<LimitName, string>> = {
  model_calls: 'model calls',
  tokens: 'tokens',
  cost_usd: 'US dollars',
  tool_calls: 'tool calls',
};

const UNKNOWN: Readonly<Record<LimitName, string>> = {
  model_calls: 'the number of model calls is not known',
  tokens: 'a model call did not tell how many tokens it used',
  cost_usd: 'what a model call cost is not known (add the model to `prices` in the config)',
  tool_calls: 'the number of tool calls is not known',
};

/** Tool calls are made by the agent, between two model calls: so many are allowed, and the next model call would be too late. */
function isReached(name: LimitName, use: Use, limits: AttemptLimits): boolean {
  const used = use[name];
  const most = limits[name]!;
  if (used === undefined) return false;
  return name === 'tool_calls' ? used > most : used >= most;
}

function addUse(one: Use, other: Use): Use {
  const add = (name: LimitName): number | undefined => {
    const [a, b] = [one[name], other[name]];
    return a === undefined || b === undefined ? undefined : a + b;
  };
  return {
    model_calls: add('model_calls'),
    tokens: add('tokens'),
    cost_usd: add('cost_usd'),
    tool_calls: add('tool_calls'),
  };
}

function reportedUse({
  model_calls,
  token_usage,
  cost_usd,
  tool_calls,
  trace_gap,
  usage_complete,
}: Reply): Use {
  return {
    model_calls,
    tokens: token_usage === undefined || usage_complete === false ? undefined : totalTokens(token_usage),
    cost_usd,
    tool_calls: trace_gap === undefined ? tool_calls?.length : undefined,
  };
}
