import { setFlagsFromString } from 'node:v8';

/** Of V8 11, which Node 20 has. Later ones optimize in more steps, and have no such flag. */
const USUAL_BUDGET = 67_584;
const isKnown = process.versions.v8.startsWith('11.');
let isLater = false;

/**
 * For a run that is over before optimized code pays off: V8 spends a fourth of the time of 1,000 small files on optimizing, in other
 * threads, which a busy machine does not have.
 */
export function optimizeLater(): void {
  if (isKnown && !isLater) setFlagsFromString(`--interrupt-budget=${3 * USUAL_BUDGET}`);
  isLater = true;
}

export function optimizeAsUsual(): void {
  if (isKnown && isLater) setFlagsFromString(`--interrupt-budget=${USUAL_BUDGET}`);
  isLater = false;
}
