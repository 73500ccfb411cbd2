import type { TraceProblem } from '../trace.ts';
import type { Turn } from './turn.ts';

/**
 * Agents without an API for tools tell the model in words how to call them: ReAct, XML, JSON. Which of it the agent took for a call
 * is its own business, so it is only noticed. Where tools were offered, the model calls them through the API.
 */
export function callInText({ seq, request, answer }: Turn): readonly TraceProblem[] {
  const text = answer.text ?? '';
  if (request.tools.length > 0 || text === '') return [];
  const form = FORMS.find(([, pattern]) => pattern.test(text))?.[0];
  return form === undefined
    ? []
    : [
        {
          at: `model call ${seq}`,
          form: `its text looks like a tool call (${form}), and no tools were offered`,
        },
      ];
}

const FORMS: readonly (readonly [string, RegExp])[] = [
  ['XML', /<\/?(?:tool_calls?|function_calls?|tool_use|invoke\b|function=|antml:|\|(?:tool|python))/i],
  ['`[TOOL_CALLS]`', /\[\/?TOOL_CALLS?\]/i],
  [
    'ReAct',
    /^[\s*]*Action(?: \d+)?[\s*]*:[\s\S]*^[\s*]*Action Input(?: \d+)?[\s*]*:|^[\s*]*Action(?: \d+)?[\s*]*:[\s*]*\w+\s*[[(]/im,
  ],
  ['a code block', /```\s*(?:tool_code|tool_calls?|function_call)\b/i],
  [
    'JSON',
    /^(?:\s*```(?:json)?)?\s*\[?\s*\{\s*"(?:tool|tool_name|tool_call|function|function_name|action|name)"\s*:[\s\S]*"(?:args|arguments|parameters|params|input|tool_input|action_input)"\s*:/i,
  ],
];
