/** Longer than the runs of the soak wait, and soon over for a process that was left behind. */
export const HANG_MS = 16_000;

/**
 * Agents that note each call before they answer, so that what ran, and how often, is known whoever was killed. Each does
 * what the second word of its input says. The run it belongs to is noted too: a call of a killed run may come late.
 */
export const AGENT_FILES: Readonly<Record<string, string>> = {
  'behave.mjs': `
import { appendFileSync } from 'node:fs';
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export async function behave(input, memory, { fail, exit, flood }) {
  appendFileSync(import.meta.dirname + '/calls.log', process.env.ASSAY_SOAK_RUN + ' ' + input + '\\n');
  const fault = input.split(' ')[1];
  await sleep(fault === 'slow' ? 300 + Math.random() * 500 : fault === 'hang' ? ${HANG_MS} : Math.random() * 60);
  if (fault === 'throw') fail('broken');
  if (fault === 'exit') exit();
  if (fault === 'flood') flood();
  if (fault === 'garbage') return { output: 7 };
  return {
    output: fault === 'wrong' ? 'something else' : 'You said ' + input,
    tools_used: ['look_up'],
    memory: { count: (memory.count ?? 0) + 1 },
  };
}`,
  'agent.mjs': `
import { behave } from './behave.mjs';
export const workers = 8;
export const agent = (input, memory) => behave(input, memory, {
  fail(message) { throw new Error(message); },
  exit: () => process.exit(7),
  flood: () => console.log('x'.repeat(11_000_000)),
});`,
  'command.mjs': `
import { writeSync } from 'node:fs';
import { behave } from './behave.mjs';
let text = '';
for await (const chunk of process.stdin) text += chunk;
const { input, memory } = JSON.parse(text);
const reply = await behave(input, memory, {
  fail(message) { console.error(message); process.exit(1); },
  exit: () => process.kill(process.pid, 'SIGSEGV'),
  flood: () => { for (let i = 0; i < 1100; i++) try { writeSync(1, 'x'.repeat(10_000)); } catch (error) { if (error.code !== 'EAGAIN') throw error; i--; } },
});
process.stdout.write(JSON.stringify(reply));`,
  'agent.py': `
import os, random, time
def agent(input_text, memory):
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'calls.log'), 'a') as file:
        file.write(os.environ['ASSAY_SOAK_RUN'] + ' ' + input_text + '\\n')
    fault = input_text.split(' ')[1]
    time.sleep(0.3 + random.random() * 0.5 if fault == 'slow' else ${HANG_MS / 1000} if fault == 'hang' else random.random() * 0.06)
    if fault == 'throw':
        raise RuntimeError('broken')
    if fault == 'exit':
        os._exit(3)
    if fault == 'flood':
        print('x' * 11_000_000)
    if fault == 'garbage':
        return {'output': 7}
    output = 'something else' if fault == 'wrong' else 'You said ' + input_text
    return {'output': output, 'tools_used': ['look_up'], 'memory': {'count': memory.get('count', 0) + 1}}
`,
};

export type AgentKind = 'function' | 'python' | 'command' | 'http';
