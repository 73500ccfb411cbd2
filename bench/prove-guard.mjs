// `node bench/prove-guard.mjs`: makes each path that the guard measures 30% slower, one after the other, and checks that the guard
// fails. It takes about five minutes. Run `npm run bench:guard -- --update` first if the committed ratios are those of another machine.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const SHARE = 0.3;
const { ratios } = JSON.parse(readFileSync('bench/guard.json', 'utf8'));
for (const path of Object.keys(ratios)) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bench/guard.mjs'], {
    encoding: 'utf8',
    env: { ...process.env, BENCH_ONLY: path, BENCH_SLOWER: `${SHARE}` },
  });
  const isNoticed = status === 1 && stderr.includes(`${path}: at most`);
  console.log(`${isNoticed ? 'noticed' : 'NOT NOTICED'}: ${stdout.trim()}`);
  if (isNoticed) continue;
  process.stderr.write(stderr);
  process.exitCode = 1;
}
