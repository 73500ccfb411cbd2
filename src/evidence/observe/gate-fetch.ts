import type { ObservationOptions } from './observation.ts';
import type { Refusal } from './before-call.ts';
import type { Fetch } from './fetch-body.ts';
import { Observation } from './observation.ts';
import { observeFetch } from './watch-fetch.ts';

/**
 * Lets somebody decide about the model calls that Assay makes itself, for chat targets and judges. A refusal is thrown, in the form that
 * `toError` gives it.
 */
export function gateFetch(
  options: ObservationOptions,
  { step, toError }: { readonly step: number; readonly toError: (refusal: Refusal) => Error },
): (send: Fetch) => Fetch {
  return (send) =>
    async (...args) => {
      const observation = new Observation(options);
      observation.begin(step);
      let refusal: Refusal | undefined;
      observation.onRefused = (decision) => (refusal = decision);
      const response = await observeFetch(send, observation)(...args);
      if (refusal !== undefined) throw toError(refusal);
      return response;
    };
}
