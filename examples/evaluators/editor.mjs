// An agent that works in a folder: each attempt gets a fresh copy of the template.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

export default function agent(input, memory, { workspace }) {
  appendFileSync(join(workspace, 'days.txt'), 'Friday\n');
  return { output: 'Friday is on the list.', tools_used: ['append'] };
}
