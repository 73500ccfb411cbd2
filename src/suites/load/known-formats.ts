import { createAssertionKinds } from '../../checks/registry.ts';
import { createFormats, type Formats } from '../formats/parse-suite.ts';

let formats: Formats | undefined;

/** The formats with every kind of assertion, created on first use. */
export function knownFormats(): Formats {
  return (formats ??= createFormats(createAssertionKinds()));
}
