import type { ReplyPart } from '../../base/model/reply-requirements.ts';
import type { Wanted } from '../contract/assertion-kind.ts';
import type { EvaluatorExample, ExampleReply } from '../contract/custom-evaluator.ts';

/** What the examples of a custom evaluator say about replies: more than the examples may hold. */
export function exampleRequirements({ pass, fail }: EvaluatorExample): Wanted {
  const { output: good, tool_calls: calls } = partsOf(pass);
  const { output: bad, tool_calls: badCalls } = partsOf(fail);
  const about: ReplyPart[] = [];
  if (good !== undefined || bad !== undefined) about.push('output');
  if (calls !== undefined || badCalls !== undefined) about.push('tools');
  return {
    about,
    ...(good === undefined || good === '' ? {} : { texts: [{ text: good }] }),
    ...(calls === undefined ? {} : { calls }),
    unwanted: [{ text: bad, replaces: true, calls: badCalls }, ...(bad === undefined ? [] : [{ text: bad }])],
  };
}

function partsOf(reply: ExampleReply): Exclude<ExampleReply, string> {
  return typeof reply === 'string' ? { output: reply } : reply;
}
