import { fillerOf } from '../../agents/workspace/fill-vars.ts';
import type { OpenWorkspace } from '../../agents/workspace/open-workspace.ts';
import type { Json, JsonObject } from '../../base/model/json.ts';
import { isJsonObject } from '../../base/model/json.ts';
import type { Test } from '../../base/model/test.ts';
import type { ReplyWarning } from '../../evidence/reply/reply-warning.ts';
import type { Attempt, AttemptContext } from './attempt.ts';
import type { Transcript } from './transcript.ts';

export interface AttemptWorkspace extends OpenWorkspace {
  /** The test, with what `setup` printed filled in. */
  readonly test: Test;
}

interface Opening {
  readonly context: AttemptContext;
  readonly transcript: Transcript;
  readonly signal: AbortSignal;
}

/** The workspace of an attempt. Undefined if there is none; a failure is then recorded. */
export async function openForAttempt(
  { id, file, test, agent }: Attempt,
  { context, transcript, signal }: Opening,
): Promise<AttemptWorkspace | undefined> {
  const { workspaces } = context;
  if (workspaces === undefined) return undefined;
  try {
    const plan = test.workspace!;
    const opened = await workspaces.open({
      id,
      file,
      plan,
      sealing: agent?.sealing,
      variables: agent?.variables,
      signal,
    });
    const filled = withVars(test, opened.vars);
    if (plan.prepare !== undefined || plan.setup !== undefined)
      transcript.warnAboutWorkspace(unfilledNames(filled), context.strict === true);
    return { ...opened, test: filled };
  } catch (error) {
    transcript.fail(signal.aborted ? (signal.reason ?? error) : error);
    return undefined;
  }
}

/** `{{name}}` of what a `setup` printed, in what is sent and in what is checked. Other braces stay as they are. */
function withVars(test: Test, vars: JsonObject): Test {
  if (Object.keys(vars).length === 0) return test;
  const fillText = fillerOf(vars);
  const fill = <T>(value: T): T => {
    if (typeof value === 'string') return fillText(value) as T;
    if (Array.isArray(value)) return value.map((each: Json) => fill(each)) as T;
    if (!isJsonObject(value as Json)) return value;
    return Object.fromEntries(
      Object.entries(value as object).map(([key, each]) => [key, fill(each as Json)]),
    ) as T;
  };
  const fillChecks = (assertions: Test['assertions']): Test['assertions'] =>
    assertions.map((each) => ({ ...each, parameters: fill(each.parameters) }));
  return {
    ...test,
    assertions: fillChecks(test.assertions),
    steps: test.steps.map((step) => ({
      input_messages: fill(step.input_messages),
      expected_messages: fill(step.expected_messages),
      assertions: fillChecks(step.assertions),
      place: step.place,
      places: step.places,
    })),
  };
}

/** A claim about `{{name}}` itself, such as that no such file exists, says nothing. */
function unfilledNames({ steps, assertions }: Test): readonly ReplyWarning[] {
  const all = [...steps.flatMap((step) => [step.input_messages, step.assertions]), assertions];
  const texts = JSON.stringify(all, (key, value: Json | bigint) =>
    key === 'place' || key === 'places' ? undefined : typeof value === 'bigint' ? `${value}` : value,
  );
  const names = new Set(Array.from(texts.matchAll(HOLE), ([hole]) => `\`${hole}\``));
  if (names.size === 0) return [];
  return [
    {
      code: 'unfilled_name',
      message: `${[...names].slice(0, 5).join(', ')} stays as it is: no \`setup\` printed a JSON object with that name as its last line`,
      hint: 'print all of the object in one line',
    },
  ];
}

const HOLE = /\{\{\s*[A-Za-z_][\w-]*(?:\.[\w.-]+)?\s*\}\}/g;
