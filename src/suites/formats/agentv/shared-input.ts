import type { AssertionKinds } from '../../../checks/contract/assertion-kinds.ts';
import { isJsonList, type Json } from '../../../base/model/json.ts';
import { formatPath, type PathSegment } from '../../../base/model/place.ts';
import { Reader, type Source } from '../../../base/schema/reader.ts';
import type { MessagesBefore } from '../messages-before.ts';
import { inputShorthand } from '../messages.ts';
import { TemplateFiller } from '../templates/fill-test.ts';
import { containsBraces } from '../templates/shared-evaluators.ts';

/** Messages that a file gives to its tests, for the test at the reader: with the variables of that test. */
export type SharedInput = (test: Reader) => MessagesBefore | undefined;

interface AuthoredInput {
  /** AgentV fills in the variables of a prompt, and then those in the values it has inserted. */
  readonly isPrompt?: boolean;
  readonly value: Json;
  readonly source: Source;
  readonly path: readonly PathSegment[];
}

export function createSharedInput(
  { value, source, path, isPrompt = false }: AuthoredInput,
  kinds: AssertionKinds,
): SharedInput {
  return (test) => {
    const reader = new Reader(source, path);
    const fill = (given: Json): Json =>
      test.vars === undefined ? given : new TemplateFiller(test.vars, reader, kinds).messages(given);
    const once = fill(value);
    const filled = isPrompt && test.vars !== undefined && containsBraces(once) ? fill(once) : once;
    const messages = reader.errorCount > 0 ? undefined : inputShorthand.read(filled, reader);
    test.add(reader);
    if (messages === undefined) return undefined;
    const places = messages.map((_, index) => {
      const at = isJsonList(value) ? [...path, index] : path;
      const { line, column } = source.locate(at, 'value');
      return { file: source.file, line, column, path: formatPath(at) };
    });
    return { messages, places };
  };
}
