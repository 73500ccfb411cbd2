import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { COMMANDS } from '../../src/cli/options.ts';
import { parseArguments } from '../../src/cli/parse-arguments.ts';
import { ROOT } from '../docs/assay-process.ts';
import { readSnippets } from '../docs/read-snippets.ts';

/** What a CI system reads: the commands, and where the JUnit file is looked for. */
interface Pipeline {
  readonly commands: readonly string[];
  readonly junit: unknown;
}

type Node = Readonly<Record<string, any>>;

/** By the file in docs/ci-others.md. Each fails for a structure that its system would not read. */
const SYSTEMS: Readonly<Record<string, (document: Node) => Pipeline>> = {
  'gitlab.yaml': ({ assay, ...others }) => {
    expect(others).toEqual({});
    expect(Object.keys(assay).sort()).toEqual(['artifacts', 'image', 'script']);
    expect(assay.artifacts).toMatchObject({ when: 'always', paths: ['.assay/runs'] });
    return { commands: assay.script, junit: assay.artifacts.reports.junit };
  },
  'azure-pipelines.yaml': ({ trigger, pool, steps }) => {
    expect(trigger).toEqual({ branches: { include: ['main'] } });
    expect(pool).toEqual({ vmImage: 'ubuntu-latest' });
    const published = steps.find(({ task }: Node) => task === 'PublishTestResults@2');
    expect(published).toMatchObject({
      condition: 'succeededOrFailed()',
      inputs: { testResultsFormat: 'JUnit' },
    });
    // Each step is one of these kinds.
    for (const step of steps)
      expect(['task', 'script', 'publish'].filter((kind) => kind in step)).toHaveLength(1);
    return {
      commands: steps.flatMap(({ script = [] }: Node) => script),
      junit: published.inputs.testResultsFiles,
    };
  },
  'circleci.yaml': ({ version, jobs, workflows }) => {
    expect(version).toBe(2.1);
    expect(workflows).toEqual({ test: { jobs: Object.keys(jobs) } });
    const { docker, steps } = jobs.assay;
    expect(docker[0].image).toMatch(/^cimg\/node:\d/);
    const kinds = steps.map((step: unknown) =>
      typeof step === 'string' ? step : Object.keys(step as Node)[0],
    );
    expect(kinds).toEqual(['checkout', 'run', 'run', 'store_test_results', 'store_artifacts']);
    const runs = steps.flatMap((step: Node) => (step['run'] === undefined ? [] : [step['run']]));
    return {
      commands: runs.map((run: string | Node) => (typeof run === 'string' ? run : run['command'])),
      junit: `${steps[3].store_test_results.path}/junit.xml`,
    };
  },
};

test.each(Object.keys(SYSTEMS))(
  '%s installs, runs a command that exists, and finds its JUnit file',
  (name) => {
    const snippet = readSnippets(ROOT, 'docs/ci-others.md').find(
      ({ directives }) => directives.get('file') === name,
    );
    const { commands, junit } = SYSTEMS[name]!(parse(snippet!.text) as Node);
    expect(commands[0]).toBe('npm ci');
    const [npx, assay, command, ...rest] = commands[1]!.split(' ');
    expect([npx, assay]).toEqual(['npx', 'assay']);
    const parsed = parseArguments(rest, COMMANDS[command!]!.options);
    expect(parsed).toMatchObject({ options: { reporter: [`junit=${String(junit)}`] } });
  },
);
