import { closed, named, optional, text, type TypeOf } from './described.ts';

/* What models were sent. Each part is a string: see `sent-texts.ts`. */
const PART =
  '`text:` and the JSON that was sent; `sha256:` and its hash, by which `texts.jsonl` has it; or `left_out`.';

export const SENT_REQUEST = named(
  'sentRequest',
  closed({
    system: optional(text(`The system prompt. ${PART} Absent, like each of these parts, if there was none.`)),
    tools: optional(text('The definitions of the tools.')),
    parameters: optional(text('All other fields of the request, without the messages.')),
    messages: optional(text('The messages that are new since the answer that the call continues.')),
    usage: optional(text('The usage as the response has it.')),
  }),
);
export type SentRequest = TypeOf<typeof SENT_REQUEST>;

export const JUDGE_PROMPT = named(
  'judgePrompt',
  closed({
    system: optional(text(`The instructions. ${PART}`)),
    prompt: text('The question, with what is judged.'),
    schema: optional(text('The JSON Schema of the answer; absent if it is free text.')),
  }),
);
export type JudgePrompt = TypeOf<typeof JUDGE_PROMPT>;
