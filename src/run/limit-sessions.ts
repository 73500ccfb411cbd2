import type { Agent, Session } from '../agents/contract.ts';

/** The agent, with at most as many sessions open at once as it says: for a run in which several agents share workers. */
export function limitSessions(agent: Agent): Agent {
  let free = agent.workers;
  const waiting: (() => void)[] = [];
  const acquire = (): Promise<void> => {
    if (free > 0) {
      free--;
      return Promise.resolve();
    }
    return new Promise((resolve) => waiting.push(resolve));
  };
  const release = (): void => {
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  };
  return {
    name: agent.name,
    workers: agent.workers,
    close: () => agent.close(),
    async open(test) {
      await acquire();
      let session: Session;
      try {
        session = await agent.open(test);
      } catch (error) {
        release();
        throw error;
      }
      return {
        send: (request, signal) => session.send(request, signal),
        async close() {
          await session.close();
          release();
        },
      };
    },
  };
}
