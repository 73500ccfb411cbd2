import picocolors from 'picocolors';
import { expect, test, vi } from 'vitest';
import { attemptRecord } from '../../../test/attempt-record.ts';
import { LiveRegion } from './live-region.ts';
import { displayWidth } from './terminal-text.ts';

const colors = picocolors.createColors(false);

test('in CI, a line reports the progress after a silence', async () => {
  let text = '';
  const live = new LiveRegion(
    { isTTY: false, columns: 80, silenceMs: 20, write: (more) => (text += more) },
    colors,
  );
  live.start(7);
  live.began('a', 'books a flight');
  live.began('b', 'pays');
  live.ended(attemptRecord({ id: 'c', verdict: 'failed' }));
  await vi.waitFor(() => expect(text.match(/\n/g)?.length).toBeGreaterThan(1));
  live.end();
  expect(text.split('\n')[0]).toMatch(
    /^\.\.\. 1\/7 done · 1 failed · .*\/s · .* · running books a flight and 1 more$/,
  );
});

test.each([20, 30, 80])(
  'at %i columns no redrawn line wraps, and all of them are erased',
  async (columns) => {
    const writes: string[] = [];
    const live = new LiveRegion({ isTTY: true, columns, write: (more) => writes.push(more) }, colors);
    live.start(1234);
    live.showFleet('4 workers, 60 of 64 in flight, 130 waiting, 2 dispatched again');
    for (let index = 0; index < 9; index++) live.began(`id ${index}`, `測試 ${'a long name '.repeat(30)}`);
    live.ended(attemptRecord({ verdict: 'error', cost_usd: 12.34 }));
    await vi.waitFor(() => expect(writes.length).toBeGreaterThan(4));
    // Another program of the same terminal writes: the lines give way.
    live.flush();
    live.end();
    let drawn = 0;
    for (const write of writes) {
      // oxlint-disable-next-line no-control-regex
      const [, up] = /^\u001b\[(\d+)F\u001b\[0J/.exec(write) ?? [];
      expect(Number(up ?? 0)).toBe(drawn);
      // oxlint-disable-next-line no-control-regex
      const lines = write.replace(/^\u001b\[\d+F\u001b\[0J/, '').split('\n');
      expect(lines.pop()).toBe('');
      drawn = lines.length;
      for (const line of lines) expect(displayWidth(line)).toBeLessThan(columns);
    }
    expect(drawn).toBe(0);
  },
);

test('lines that wrapped because the terminal became narrower are erased whole', async () => {
  const writes: string[] = [];
  const output = { isTTY: true, columns: 60, write: (more: string) => writes.push(more) };
  const live = new LiveRegion(output, picocolors.createColors(true));
  live.start(3);
  live.began('a', 'x'.repeat(100));
  await vi.waitFor(() => expect(writes.length).toBeGreaterThan(0));
  output.columns = 20;
  live.end();
  // The name and its time took 59 columns, which are three rows now; the progress below took one row.
  expect(writes.at(-1)).toBe('\u001B[4F\u001B[0J');
});
