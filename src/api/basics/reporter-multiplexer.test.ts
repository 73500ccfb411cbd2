import { expect, test, vi } from 'vitest';
import { attemptRecord, stepRecord } from '../../../test/attempt-record.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { Reporter, RunEnd } from '../../show/reporters/reporter.ts';
import { createReporterMultiplexer } from './reporter-multiplexer.ts';

const END = {} as RunEnd;
const finding = (message: string): Finding => ({
  severity: 'error',
  code: 'c',
  message,
  file: 'a',
  line: 1,
  column: 1,
  path: '',
});

/** Writes down what it is told. */
function listener(more: Partial<Reporter> = {}) {
  const heard: string[] = [];
  const reporter: Reporter = {
    onResult: ({ test: name }) => void heard.push(`result ${name}`),
    onFinding: ({ message }) => void heard.push(`finding ${message}`),
    onRunEnd: () => void heard.push('end'),
    onError: (error) => void heard.push(`error ${(error as Error).message}`),
    ...more,
  };
  return { heard, reporter };
}

const throws = (): never => {
  throw new Error('broken');
};

test('every reporter receives every event, and each finding once', async () => {
  const [one, two] = [listener(), listener()];
  const emit = createReporterMultiplexer([one.reporter, two.reporter, {}]);
  emit('onFinding', finding('x'));
  emit('onResult', attemptRecord());
  emit('onFinding', finding('x'));
  emit('onFinding', finding('y'));
  await emit.end(END);
  expect(one.heard).toEqual(['finding x', 'result t', 'finding y', 'end']);
  expect(two.heard).toEqual(one.heard);
});

test.each<[string, Partial<Reporter>]>([
  ['throws', { onResult: throws }],
  ['rejects', { onResult: () => Promise.reject(new Error('broken')) }],
])('a reporter that %s is removed with one message, and the others continue', async (_, broken) => {
  const [one, two] = [listener(broken), listener()];
  const emit = createReporterMultiplexer([one.reporter, two.reporter]);
  emit('onResult', attemptRecord());
  await emit.settled();
  emit('onResult', attemptRecord());
  emit('onFinding', finding('x'));
  await emit.end(END);
  expect(one.heard).toEqual(['error broken']);
  expect(two.heard).toEqual(['result t', 'result t', 'finding x', 'end']);
});

test('a reporter that rejects twice is reported once, and so is one that fails at the end', async () => {
  const one = listener({ onResult: () => Promise.reject(new Error('broken')) });
  const two = listener({ onRunEnd: throws });
  const emit = createReporterMultiplexer([one.reporter, two.reporter]);
  emit('onResult', attemptRecord());
  emit('onResult', attemptRecord());
  await emit.end(END);
  expect(one.heard).toEqual(['error broken']);
  expect(two.heard).toEqual(['result t', 'result t', 'error broken']);
});

test('an error of a reporter without an error handler becomes a process warning', async () => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  try {
    const emit = createReporterMultiplexer([
      { onResult: throws },
      { onRunEnd: () => Promise.reject('text') },
    ]);
    emit('onResult', attemptRecord());
    await emit.end(END);
    expect(warned.mock.calls.map(([text]) => String(text).replace(/.*: /, ''))).toEqual(['broken', 'text']);
  } finally {
    warned.mockRestore();
  }
});

test('the end of the run waits until reporters have handled all events', async () => {
  let dealWith = (): void => {};
  const { heard, reporter } = listener({
    onResult: () =>
      new Promise((resolve) => {
        dealWith = () => {
          heard.push('dealt with');
          resolve();
        };
      }),
  });
  const emit = createReporterMultiplexer([reporter]);
  emit('onResult', attemptRecord());
  const ended = emit.end(END);
  await Promise.resolve();
  expect(heard).toEqual([]);
  dealWith();
  await ended;
  expect(heard).toEqual(['dealt with', 'end']);
});

test('a run waits only for reporters that are far behind', async () => {
  const waiting: (() => void)[] = [];
  const { reporter } = listener({ onResult: () => new Promise((resolve) => void waiting.push(resolve)) });
  const emit = createReporterMultiplexer([reporter]);
  const large = attemptRecord({ steps: [stepRecord({ output: 'x'.repeat(5 * 1024 * 1024) })] });
  expect(emit.caughtUp()).toBeUndefined();
  emit('onResult', large);
  expect(emit.caughtUp()).toBeUndefined();
  emit('onResult', large);
  const caughtUp = emit.caughtUp();
  expect(caughtUp).toBeInstanceOf(Promise);
  for (const deal of waiting) deal();
  await caughtUp;
  expect(emit.caughtUp()).toBeUndefined();
});
