// A small coding agent: a model that may read and write files of the folder it works in.
import { readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

const { input, settings } = JSON.parse(await text(process.stdin));
const tool = (name, properties) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties, required: Object.keys(properties) } },
});
const word = { type: 'string' };
const tools = [tool('read_file', { path: word }), tool('write_file', { path: word, content: word })];
const run = {
  read_file: ({ path }) => readFileSync(path, 'utf8'),
  write_file({ path, content }) {
    writeFileSync(path, content);
    return 'written';
  },
};
const messages = [
  { role: 'system', content: settings.prompt },
  { role: 'user', content: input },
];
const tool_calls = [];
for (;;) {
  const response = await fetch(
    `${process.env.OPENAI_BASE_URL ?? 'https://api.openai.com/v1'}/chat/completions`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${process.env.OPENAI_API_KEY}` },
      body: JSON.stringify({ model: 'gpt-5-mini', messages, tools }),
    },
  );
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const { message } = (await response.json()).choices[0];
  messages.push(message);
  if (message.tool_calls === undefined) {
    console.log(JSON.stringify({ output: message.content, tool_calls }));
    break;
  }
  for (const { id, function: called } of message.tool_calls) {
    const given = JSON.parse(called.arguments);
    const content = run[called.name](given);
    tool_calls.push({ tool: called.name, input: given, output: content });
    messages.push({ role: 'tool', tool_call_id: id, content });
  }
}
