import { QueueError } from './queue-error.ts';

/** Why a run on a queue, or a worker, cannot continue. */
export function takenOver(): QueueError {
  return new QueueError('another process has taken over this run', {
    hint: 'the run continues there; only one process can coordinate a run',
  });
}

export function runWithoutQueue(problem: string, waitedMs: number): QueueError {
  return new QueueError(waitedFor(problem, waitedMs), {
    hint: 'start the queue and continue with --resume; --worker-wait sets how long to wait',
  });
}

export function workerWithoutQueue(problem: string, waitedMs: number): QueueError {
  return new QueueError(waitedFor(problem, waitedMs), {
    hint: 'start the queue, then restart the worker; --queue-wait sets how long to wait',
  });
}

export function noWorkers(waitedMs: number, refused: number): QueueError {
  const what = `no worker joined within ${seconds(waitedMs)}`;
  if (refused === 0)
    return new QueueError(what, {
      hint: 'start workers with `assay worker --queue ...`, then continue with --resume',
    });
  return new QueueError(`${what}: ${refused === 1 ? '1 worker' : `${refused} workers`} refused`, {
    hint: 'see the warnings above; start workers with the same files and version, then continue with --resume',
  });
}

function waitedFor(problem: string, waitedMs: number): string {
  return `${problem}; waited ${seconds(waitedMs)}`;
}

function seconds(durationMs: number): string {
  return `${Math.round(durationMs / 1000)} s`;
}
