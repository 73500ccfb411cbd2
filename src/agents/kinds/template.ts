import { dirname, resolve } from 'node:path';
import { AgentSetupError } from '../agent-setup-error.ts';
import { telemetryOf } from '../contract.ts';
import { ownValue } from '../../base/model/json.ts';
import { unsetVariable, type UnsetOption } from '../llm/unset-options.ts';
import { findMissingProgram } from '../processes/missing-program.ts';
import { quoteForShell } from '../processes/quote-for-shell.ts';
import { hasKey } from './target-fields.ts';
import { defineTargetKind } from './target-kind.ts';
import { COMMAND_LINE, isTemplated, templateTarget } from './template-fields.ts';
import { wordsOfLine } from './words-of-line.ts';

/** `command_template: ./my-agent {PROMPT}`, or `provider: cli`: a shell line with holes, for one test or a batch of them. */
export const template = defineTargetKind({
  name: 'template',
  keys: ['command', 'command_template', 'commandTemplate'],
  providers: ['cli'],
  schema: templateTarget,
  when: COMMAND_LINE,
  matches(target) {
    const line = ownValue(target, 'command');
    return isTemplated(target) ? !Array.isArray(line) : hasKey(target, 'command') && typeof line === 'string';
  },
  async create(target, { env, observe }) {
    const { createTemplateAgent } = await import('../template-agent.ts');
    const { healthcheck } = target;
    if (target.provider_batching === true && telemetryOf(observe) !== undefined)
      throw new AgentSetupError(
        `${target.name}: one call of a batch answers all tests, so Assay cannot tell which telemetry belongs to which test`,
        { hint: 'remove `provider_batching`' },
      );
    return createTemplateAgent({
      name: target.name,
      template: target.command_template,
      cwd: target.cwd,
      filesFormat: target.files_format,
      timeoutMs: inMs(target.timeout_seconds),
      isBatch: target.provider_batching,
      workers: target.workers,
      healthcheck:
        healthcheck === undefined
          ? undefined
          : {
              url: healthcheck.url,
              command: healthcheck.command,
              cwd: healthcheck.cwd,
              timeoutMs: inMs(healthcheck.timeout_seconds),
            },
      env,
      observe,
    });
  },
  withArgs(target, args) {
    const key = this.keys!.find((each) => typeof ownValue(target, each) === 'string');
    if (key === undefined) return undefined;
    return { ...target, [key]: [ownValue(target, key) as string, ...args.map(quoteForShell)].join(' ') };
  },
  startsProgram: () => true,
  whyUnobserved: ({ provider_batching }) =>
    provider_batching === true
      ? { reason: 'one call of a batch answers all tests', hint: 'remove `provider_batching`' }
      : undefined,
  /** A folder that is not named is the suite's, whether its variable is not set or it is not there at all. */
  withoutUnset({ cwd, healthcheck, ...others }, env) {
    const unset: UnsetOption[] = [];
    const isSet = (folder: string | undefined, key: string, instead: string): boolean => {
      const variable = unsetVariable(folder, env);
      if (variable !== undefined) unset.push({ key, variable, instead });
      return folder !== undefined && variable === undefined;
    };
    const known = { ...others, ...(isSet(cwd, 'cwd', "the suite's folder") ? { cwd } : {}) };
    if (healthcheck === undefined) return { target: known, unset };
    const { cwd: own, ...check } = healthcheck;
    const isOwnSet = isSet(own, 'healthcheck.cwd', 'the folder of the target');
    return { target: { ...known, healthcheck: { ...check, ...(isOwnSet ? { cwd: own } : {}) } }, unset };
  },
  findMissing({ healthcheck, cwd = '.' }, { env, suite }) {
    if (healthcheck?.command === undefined) return undefined;
    const folder = resolve(dirname(suite), healthcheck.cwd ?? cwd);
    const missing = findMissingProgram(healthcheck.command, { cwd: folder, env });
    // Whether an agent is well depends on where it runs.
    return missing === undefined
      ? undefined
      : { code: 'healthcheck', message: `its health check cannot work: ${missing.message}`, isLocal: true };
  },
  code: ({ command_template, cwd = '.' }) => [{ words: wordsOfLine(command_template), suiteFolder: cwd }],
  examples: [
    { name: 'line', command_template: './agent --prompt {PROMPT}' },
    { name: 'line', provider: 'cli', command: './agent --prompt {PROMPT} --output {OUTPUT_FILE}' },
    { name: 'batch', command_template: './agent --batch {EVAL_ID}', provider_batching: true },
  ],
});

function inMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}
