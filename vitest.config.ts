import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { startFast } from './test/start-fast.ts';

startFast();

/** Tests that change their process, by watching it or by what they load: each file has its own. The others share one, and what it has loaded. */
const WITH_TRACES = [
  'test/agents/{coding-agents,command-agent,function-agent,http-agent,parse-agent}.test.ts',
  'test/agents/{python-agent,python-protocol,target-kinds,thrown-places,whole-process}.test.ts',
  'test/cli/main.test.ts',
  'test/evidence/{contradictions,conversation-requests,failed-steps,gaps,limits,observe-*}.test.ts',
  'test/evidence/{other-calls,proxy,unobserved,unseen,wrong-claims}.test.ts',
  'test/faults/{fault-answers,faults}.test.ts',
  'test/judges/judge-proxy.test.ts',
  'test/processes/host-process.test.ts',
  'test/worker/attempt-runner.test.ts',
];

/** What takes longest, and has a smaller test of the same beside it: only `npm run test:long` runs these. */
export const LONG_ONLY = [
  'test/agents/late-exit.test.ts',
  'test/cassettes/{durable,every-agent,never-wrong,queue}.test.ts',
  'test/convert/{promptfoo-code,promptfoo-configs}.test.ts',
  'test/custom-evaluators/config.test.ts',
  'test/editors/random-edits.test.ts',
  'test/faults/fault-agents.test.ts',
  'test/journal/{damaged-records,disk,kill,lock,resume-asked,soak}.test.ts',
  'test/processes/{memory,odd-programs,orphans}.test.ts',
  'test/queue/{code,faults,hostile,restart,steady}.test.ts',
  'test/reporters/{large-replies,run-problems}.test.ts',
  'test/run/{grade-questions,held-datasets,incomplete-runs,joined-configs,regressions}.test.ts',
  'test/security/{every-command,path-tricks}.test.ts',
  'test/stats/recorded.test.ts',
  'test/view/{html-report,large,numbers}.test.ts',
  'test/web/{accessibility,find,keyboard,large,nine-targets,reading,screenshots,targets,trends,truth,verdicts}.test.ts',
];

export default defineConfig({
  test: {
    // Of property tests: ASSAY_TEST_SEED=7 npx vitest run looks elsewhere.
    provide: { seed: Number(process.env['ASSAY_TEST_SEED'] ?? 1), isLong: false },
    // Tests read what people see, also if a coding agent runs them.
    env: { ASSAY_AGENT: 'false' },
    // A test keeps one process busy at a time. Some tests only wait for a timer, so one more worker than cores is faster.
    maxWorkers: availableParallelism() + 1,
    reporters: ['default', './scripts/retried-tests.ts'],
    setupFiles: process.env['TEST_CPU'] === undefined ? [] : ['test/record-cpu.ts'],
    // On a machine that others use too, a program may start too late. The end of the run lists what was tried again.
    retry: process.env['CI'] === undefined ? 0 : 1,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['{src,web,test}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, 'test/long/**', ...WITH_TRACES, ...LONG_ONLY],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: WITH_TRACES,
          exclude: [...configDefaults.exclude, ...LONG_ONLY],
        },
      },
    ],
  },
});
