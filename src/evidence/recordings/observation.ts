import type { Json } from '../../base/model/json.ts';
import type { TokenUsage } from '../../base/model/reply.ts';

/** One node of a trace as a platform exports it. */
export interface Observation {
  readonly id: string;
  readonly parent?: string | undefined;
  readonly kind: 'model' | 'tool' | 'other';
  readonly name: string;
  readonly input?: Json | undefined;
  readonly output?: Json | undefined;
  readonly model?: string | undefined;
  readonly usage?: TokenUsage | undefined;
  readonly cost_usd?: number | undefined;
  readonly start_ms?: number | undefined;
  readonly end_ms?: number | undefined;
  readonly error?: string | undefined;
  readonly line: number;
}
