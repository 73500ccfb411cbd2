import { QueueError } from './queue-error.ts';

/** Why a run on a queue, or a worker, cannot go on. */
export function takenOver(): QueueError {
  return new QueueError('another process has taken over this run', {
    hint: 'it goes on there; two processes cannot follow one run',
  });
}

export function runWithoutQueue(problem: string, waitedMs: number): QueueError {
  return new QueueError(waitedFor(problem, waitedMs), {
    hint: 'start the queue and go on with --resume; --worker-wait says how long to wait',
  });
}

export function workerWithoutQueue(problem: string, waitedMs: number): QueueError {
  return new QueueError(waitedFor(problem, waitedMs), {
    hint: 'start the queue, and the worker again; --queue-wait says how long to wait',
  });
}

export function noWorkers(waitedMs: number, refused: number): QueueError {
  const what = `no worker took part for ${seconds(waitedMs)}`;
  if (refused === 0)
    return new QueueError(what, {
      hint: 'start workers with `assay worker --queue ...`, and go on with --resume',
    });
  return new QueueError(`${what}: ${refused === 1 ? '1 worker' : `${refused} workers`} refused`, {
    hint: 'the warnings above say why; start workers with the same files and version, and go on with --resume',
  });
}

function waitedFor(problem: string, waitedMs: number): string {
  return `${problem}; waited ${seconds(waitedMs)} for it`;
}

function seconds(durationMs: number): string {
  return `${Math.round(durationMs / 1000)} s`;
}
