import { resolve } from 'node:path';
import { findProgram } from '../processes/find-program.ts';
import type { ProcessOptions } from '../processes/process-group.ts';
import { quoteForShell } from '../processes/quote-for-shell.ts';
import { splitWords } from '../processes/split-words.ts';
import { isFile, nearName } from '../agent-file.ts';
import { AgentSetupError } from '../agent-setup-error.ts';
import { agentTarget, agentText, isAgentTarget } from './agent-target.ts';
import { defineTargetKind } from './target-kind.ts';
import { wordsOfLine } from './words-of-line.ts';

const LINE = /^cmd:(.*)$/s;

/** `agent: "cmd: ./my-agent --flag"`: a program that runs once per step. */
export const commandLine = defineTargetKind({
  name: 'command line',
  keys: ['agent'],
  schema: agentTarget,
  matches: (target) => isAgentTarget(target) && LINE.test(agentText(target)),
  async create(target, place) {
    const name = agentText(target);
    const argv = readLine(lineOf(name), place);
    const { createCommandAgent } = await import('../command-agent.ts');
    return createCommandAgent(argv, { ...place, name });
  },
  withArgs: (target, args) => ({
    ...target,
    agent: [agentText(target), ...args.map(quoteForShell)].join(' '),
  }),
  startsProgram: () => true,
  code: (target) => [{ words: wordsOfLine(lineOf(agentText(target))) }],
  examples: [{ name: 'program', agent: 'cmd: ./agent --flag "two words"' }],
});

function lineOf(agent: string): string {
  return LINE.exec(agent)![1]!;
}

function readLine(line: string, place: ProcessOptions): readonly string[] {
  const words = splitWords(line);
  if (words === undefined)
    throw new AgentSetupError(`a quote is not closed in ${JSON.stringify(line.trim())}`, {
      hint: 'close it, or put a backslash before it',
    });
  const [program] = words;
  if (program === undefined || program === '')
    throw new AgentSetupError('there is no program after "cmd:"', { hint: 'write "cmd: ./my-agent --flag"' });
  if (findProgram(program, place) === undefined) {
    const where = program.includes('/') ? `in ${place.cwd}` : 'on the PATH';
    throw new AgentSetupError(`there is no executable program ${JSON.stringify(program)} ${where}`, {
      hint: hintForProgram(program, place),
    });
  }
  return words;
}

function hintForProgram(program: string, { cwd }: ProcessOptions): string {
  const path = resolve(cwd, program);
  if (!isFile(path)) return program.includes('/') ? (nearName(path) ?? 'check the path') : 'is it installed?';
  return program.includes('/') ? `make it executable: chmod +x ${program}` : `write "cmd: ./${program}"`;
}
