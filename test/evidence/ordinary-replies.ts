import type { Json } from '../../src/base/model/json.ts';

/** What agents return that is their users' own, and looks a little like what frameworks write. */
export const ORDINARY_REPLIES: readonly (readonly [string, Json])[] = [
  ['our own contract', { output: 'Hi.', tools_used: ['search'] }],
  ['our own contract with calls', { output: 'Hi.', tool_calls: [{ tool: 'search', input: { q: 'x' } }] }],
  ['our own contract with messages', { output_messages: [{ role: 'assistant', content: 'Hi.' }] }],
  [
    'our own contract and messages beside it',
    { output: 'Hi.', messages: [{ role: 'assistant', content: 'Hi.' }] },
  ],
  [
    'our own contract with usage and memory',
    { output: 'x', token_usage: { input: 1, output: 2 }, memory: { a: 1 }, duration_ms: 4 },
  ],
  ['a text', { text: 'Hi.' }],
  ['text and steps of a recipe', { text: 'Soup', steps: ['Boil water', 'Add salt'] }],
  ['steps with content', { steps: [{ title: 'Boil', content: ['water'] }] }],
  ['steps with a type', { steps: [{ type: 'tool-call', label: 'x' }], usage: 'daily' }],
  [
    'messages of a chat product',
    {
      messages: [
        { from: 'ann', text: 'Hi' },
        { from: 'bob', text: 'Hello' },
      ],
    },
  ],
  [
    'messages with roles of a team',
    {
      messages: [
        { role: 'admin', content: 'Hi' },
        { role: 'guest', content: 'Hello' },
      ],
    },
  ],
  [
    'messages with times and reactions',
    {
      messages: [
        { role: 'user', content: 'Hi', reactions: [] },
        { role: 'assistant', content: 'Yo', sent_at: 'noon' },
      ],
    },
  ],
  ['messages that end with the user', { messages: [{ role: 'user', content: 'Hi' }] }],
  [
    'messages of types',
    {
      messages: [
        { type: 'ai', content: 'x' },
        { type: 'human', content: 'y' },
      ],
    },
  ],
  ['no messages', { messages: [] }],
  [
    'content of a page',
    { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Hi' }] }] },
  ],
  ['content with marks', { content: [{ type: 'text', text: 'Hi', marks: [{ type: 'bold' }] }] }],
  ['content of blocks with ids', { content: [{ id: 1, type: 'heading', value: 'Hi' }] }],
  ['items of a cart', { items: [{ name: 'Milk', type: 'food', price: 2 }] }],
  ['items of a list of calls to make', { items: [{ type: 'call', name: 'Ann', number: '1' }] }],
  ['events of a calendar', { events: [{ type: 'meeting', start: '9:00', author: 'Ann' }] }],
  [
    'events with types',
    [
      { type: 'start', at: 1 },
      { type: 'text', value: 'x' },
      { type: 'finish', at: 2 },
    ],
  ],
  [
    'events of a machine',
    [
      { type: 'init', id: 1 },
      { type: 'result', status: 'ok' },
      { type: 'error', message: 'x' },
    ],
  ],
  [
    'history of an order',
    {
      history: [
        { status: 'paid', at: 1 },
        { status: 'shipped', at: 2 },
      ],
    },
  ],
  ['a result of a job', { type: 'result', status: 'done', value: 3 }],
  ['a result with a subtype', { type: 'result', subtype: 'invoice', result: 'x' }],
  ['choices of a quiz', { choices: [{ text: 'A', correct: true }, { text: 'B' }] }],
  ['candidates of an election', { candidates: [{ name: 'Ann', content: 'Taxes' }] }],
  ['an output that is data', { output: { status: 'shipped' } }],
  ['an output of rows', { output: [{ type: 'message', text: 'x' }], status: 'ok' }],
  ['the state of a machine', { state: { usage: { cpu: 3 }, items: [] } }],
  ['new items of a shop', { newItems: [{ name: 'Shoes', type: 'shoe_item' }] }],
  ['a response with figures', { response: 'Hi.', stats: { models: 3, tools: 2 } }],
  ['raw text and tasks', { raw: 'x', tasks: [] }],
  ['parts of a car', { parts: [{ type: 'wheel' }, { type: 'door' }] }],
  ['parts of a story', [{ role: 'hero', parts: ['one', 'two'] }]],
  ['a list of texts', ['a', 'b']],
  ['a list of numbers', [1, 2, 3]],
  [
    'a list of rows',
    [
      { id: 1, name: 'x' },
      { id: 2, name: 'y' },
    ],
  ],
  ['an empty list', []],
  ['an empty object', {}],
  ['a text that is JSON', '{"text":"Hi."}'],
  ['nothing', null],
  ['a number', 3],
  ['truth', true],
];
