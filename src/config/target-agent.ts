import { AgentSetupError } from '../agents/agent-setup-error.ts';
import type { Agent } from '../agents/contract.ts';
import { createFunctionAgent } from '../agents/function-agent.ts';
import { createAgent } from '../agents/parse-agent.ts';
import type { JsonObject } from '../model/json.ts';
import type { Environment } from '../models/create-model.ts';
import type { UnsetOption } from '../models/unset-options.ts';
import type { TargetConfig } from './config.ts';
import { fillTarget } from './read-target.ts';
import type { TargetKind } from './target-schema.ts';

export interface TargetPlace {
  /** The folder paths of the config are relative to. */
  readonly folder: string;
  readonly env: Environment;
  /** Told the settings that do not hold, because their variables are not set. */
  readonly onUnset?: ((option: UnsetOption) => void) | undefined;
}

/** The agent a target describes. */
export async function createTargetAgent(authored: TargetConfig, place: TargetPlace): Promise<Agent> {
  const { kind, target: filled, reader, unset } = fillTarget(authored, place.env)!;
  for (const option of unset) place.onUnset?.(option);
  // What variables stand for is known only now.
  const problem = reader.findings.find(({ severity }) => severity === 'error');
  if (problem !== undefined)
    throw new AgentSetupError(
      `the target "${authored.name}" cannot be used: ${problem.path}: ${problem.message}`,
      {
        hint: problem.hint,
      },
    );
  const target = filled!;
  const agent = await create(kind, target, place);
  const { name } = target;
  return {
    name,
    workers: target.workers ?? agent.workers,
    retry: agent.retry,
    open: (test) => agent.open(test),
    close: () => agent.close(),
  };
}

/** What an agent of one kind needs is loaded when there is one. */
async function create(kind: TargetKind, target: TargetConfig, { folder, env }: TargetPlace): Promise<Agent> {
  const { name, workers } = target;
  // A copy: every look at `process.env` asks the system, and each program gets all of it.
  const place = { cwd: folder, env: { ...env } as NodeJS.ProcessEnv };
  switch (kind) {
    case 'agent':
      return typeof target.agent === 'function'
        ? createFunctionAgent(target.agent, { name, workers })
        : createAgent(target.agent!, place);
    case 'command': {
      const { createCommandAgent } = await import('../agents/command-agent.ts');
      return createCommandAgent(target.command as readonly string[], { ...place, name });
    }
    case 'template': {
      const { createTemplateAgent } = await import('../agents/template-agent.ts');
      return createTemplateAgent({ ...templateOptions(target), env: place.env });
    }
    case 'url': {
      const { createHttpAgent } = await import('../agents/http-agent.ts');
      return createHttpAgent({
        ...target,
        url: target.url!,
        healthcheck: target.healthcheck as string | undefined,
        ...place,
      });
    }
    case 'chat': {
      const { createChatAgent } = await import('../agents/chat/chat-agent.ts');
      return createChatAgent(target as never, { env });
    }
    case 'mock': {
      const { createMockAgent } = await import('../agents/mock-agent.ts');
      return createMockAgent(target as never);
    }
  }
}

function templateOptions(target: TargetConfig) {
  const check = target.healthcheck as JsonObject | undefined;
  return {
    name: target.name,
    template: target.command_template!,
    cwd: target.cwd,
    filesFormat: target.files_format,
    timeoutMs: target.timeout_seconds === undefined ? undefined : target.timeout_seconds * 1000,
    isBatch: target.provider_batching,
    workers: target.workers,
    healthcheck:
      check === undefined
        ? undefined
        : {
            url: check['url'] as string | undefined,
            command: check['command'] as string | undefined,
            cwd: check['cwd'] as string | undefined,
            timeoutMs:
              check['timeout_seconds'] === undefined
                ? undefined
                : (check['timeout_seconds'] as number) * 1000,
          },
  };
}
