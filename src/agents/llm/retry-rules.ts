import type { RetryRules } from '../../base/system/retry.ts';
import type { ModelConfig } from './model-config.ts';

/** The retry settings of a config. */
export function retryRules(config: ModelConfig): RetryRules {
  return {
    most: config.max_retries,
    firstMs: config.retry_initial_delay_ms,
    factor: config.retry_backoff_factor,
    longestMs: config.retry_max_delay_ms,
  };
}
