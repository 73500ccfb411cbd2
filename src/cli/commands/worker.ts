import { work, type WorkObserver } from '../../api/worker/work.ts';
import { escapeLine } from '../../show/reporters/terminal-text.ts';
import { targetNames, targetProblem } from '../target-names.ts';
import { EXIT, type CommandContext } from '../command.ts';
import type { WORKER_OPTIONS } from '../server-options.ts';
import { printError } from '../print-error.ts';
import { printStop } from '../print-stop.ts';
import { watchSignalsTwice } from '../signals.ts';

/** `assay worker`: joins the runs on a queue. It ends when it is stopped, which is not a failure. */
export async function worker(context: CommandContext<typeof WORKER_OPTIONS>): Promise<number> {
  const { options, stderr } = context;
  const problem = findProblem(context);
  if (problem !== undefined) {
    await printError(stderr, `${problem}\n  hint: \`assay worker --help\` lists the options`);
    return EXIT.invalid;
  }
  const { signal, force } = watchSignalsTwice(stderr);
  try {
    await work({
      queue: options.queue!,
      agent: options.agent,
      target: targetNames(options.target),
      config: options.config,
      concurrency: options.concurrency,
      allowScripts: options['allow-scripts'],
      useCache: !options['no-cache'],
      idleMs: options['idle-exit'],
      patienceMs: options['queue-wait'],
      signal,
      force,
      onSecrets: context.redactor.learn,
      observer: createObserver(context),
    });
    return force.aborted ? EXIT.interrupted : EXIT.ok;
  } catch (error) {
    return await printStop(error, stderr);
  }
}

function findProblem({ options, positionals }: CommandContext<typeof WORKER_OPTIONS>): string | undefined {
  if (options.queue === undefined) return 'which queue? add --queue redis://... or postgres://...';
  if (positionals.length > 0)
    return `a worker runs what is on the queue: ${positionals.join(' ')} is for \`assay run\``;
  return targetProblem(options.target);
}

/** One line per change; the run itself reports the results. */
function createObserver({ stderr }: CommandContext<typeof WORKER_OPTIONS>): WorkObserver {
  const say = (line: string): void => void stderr.write(`assay worker: ${escapeLine(line)}\n`);
  const made = { total: 0, bad: 0 };
  let isThere = true;
  return {
    onConnected: ({ id, queue }) => say(`${id} waits for runs on ${queue}`),
    onJoin: (run_id) => say(`has joined run ${run_id}`),
    onLeave: (run_id) =>
      say(`has left run ${run_id}; ${made.total} attempts so far, ${made.bad} did not pass`),
    onRefusal: (run_id, reason) => say(`does not join run ${run_id}: ${reason}`),
    onFinished({ verdict }) {
      made.total++;
      if (verdict !== 'passed') made.bad++;
    },
    onConnection(answers, problem = 'the queue does not answer') {
      if (answers !== isThere) say(answers ? 'the queue answers again' : `${problem}; waiting`);
      isThere = answers;
    },
    onWeakness: (weakness) => say(`warning: ${weakness}; set it to noeviction`),
    onStranded: () =>
      say(
        'the queue does not answer, so this worker left without notice; other workers run its unfinished attempts',
      ),
  };
}
