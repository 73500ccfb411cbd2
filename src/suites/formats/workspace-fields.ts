import type { EnvironmentPlan, WorkspacePlan, WorkspaceTimeouts } from '../../base/model/workspace.ts';
import type { Json } from '../../base/model/json.ts';
import { globs } from '../../base/match/globs.ts';
import { byType } from '../../base/schema/by-type.ts';
import { duration } from '../../base/schema/duration.ts';
import { unsupported, unsupportedFields } from '../../base/schema/foreign-fields.ts';
import { list } from '../../base/schema/list.ts';
import { object, type Fields, type ObjectOf } from '../../base/schema/object.ts';
import type { Reader } from '../../base/schema/reader.ts';
import { refine } from '../../base/schema/refine.ts';
import { oneOrMany } from '../../base/schema/one-or-many.ts';
import { oneOf, text } from '../../base/schema/values.ts';

const word = text({ nonEmpty: true });
const paths = globs();
const nameGlobs = oneOrMany();
const argv = list(text(), { nonEmpty: true, label: 'list: a program and its arguments' });
const time = duration({ min: 1 });
const HINT = 'see the guide "Test a coding agent" for what Assay reads';

/** Of other tools. They would change what is tested. */
const foreign = <const T extends string>(names: readonly T[]) =>
  unsupportedFields(Object.fromEntries(names.map((name) => [name, HINT])) as Readonly<Record<T, string>>);

const workspaceObject = object(
  {
    template: {
      schema: refine(word, (value, reader) => {
        if (/^(?:[a-z][a-z+.-]+:\/\/|git@)/i.test(value as string))
          reader.unsupported({
            message: 'a template from another machine is not supported',
            hint: 'use a folder',
          });
      }),
      doc: 'A folder, relative to the file. Each attempt gets a fresh copy. Without it, the workspace starts empty.',
      verbatim: 'all',
    },
    exclude: { schema: paths, doc: 'Globs of files of the template that are never copied.' },
    git: {
      schema: oneOf(['fresh', 'none']),
      doc: '`fresh`: a repository with one commit, no history and no remotes. Default: `fresh` for coding agents, otherwise `none`.',
    },
    protect: {
      schema: paths,
      doc: 'Globs of files that are restored from the template before anything is graded. A change there is reported.',
    },
    artifacts: {
      schema: paths,
      doc: 'Globs of files that are copied into the run folder after the attempt.',
    },
    keep: {
      schema: oneOf(['on_failure', 'always', 'never']),
      doc: 'When the workspace stays after the attempt; where it is, is printed. Default: `never`.',
    },
    ...foreign(['hooks', 'repos', 'isolation', 'mode', 'path', 'docker', 'env', 'scope', 'mounts']),
  },
  { what: '`workspace`' },
);

const environmentObject = object(
  {
    home: {
      schema: oneOf(['clean', 'own']),
      doc: '`clean`: the agent gets an empty home folder and only the variables that are declared. Default: `clean` for coding agents.',
    },
    network: {
      schema: byType({
        string: oneOf(['none']),
        array: list(word, { nonEmpty: true, label: 'list of hosts' }),
      }),
      doc: '`none`, or the hosts that the agent may reach, such as `api.example.com`. Its model API is always allowed.',
    },
    docker: {
      schema: refine(
        object(
          {
            image: { schema: word, doc: 'The image that the agent runs in.' },
            build: { schema: word, doc: 'A folder with a Dockerfile, relative to the file.' },
          },
          { what: '`docker`' },
        ),
        (value, reader) => {
          const { image, build } = value as { image?: string; build?: string };
          if ((image === undefined) === (build === undefined))
            reader.error({ code: 'docker', message: '`docker` needs `image` or `build`, and not both' });
        },
      ),
      doc: 'Run the agent in a container: `{ image: node:22 }` or `{ build: ./docker }`.',
    },
    run_in: { schema: argv, doc: "A command that is put before the agent's own, for any other sandbox." },
    env: {
      schema: nameGlobs,
      doc: 'Names of variables, such as keys, that the agent gets although its home is clean.',
    },
    loads: {
      schema: nameGlobs,
      doc: 'Names of MCP servers, skills and plugins that the program may load in addition to those of the workspace.',
    },
    ...foreign(['type', 'image', 'dockerfile', 'setup', 'workdir', 'resources']),
  },
  { what: '`environment`' },
);

function oneSandbox(_value: Json, reader: Reader, read: object): void {
  const { docker, run_in, network } = read as EnvironmentPlan;
  if (docker !== undefined && run_in !== undefined)
    reader.error({
      code: 'two_sandboxes',
      message: '`docker` and `run_in` cannot be used together',
      hint: 'keep one of them',
      at: ['run_in'],
      onKey: true,
    });
  if (run_in !== undefined && network !== undefined)
    reader.error({
      code: 'unenforced_network',
      message: 'Assay cannot enforce `network` inside `run_in`',
      hint: 'let that sandbox restrict the network, and remove `network` here',
      at: ['network'],
      onKey: true,
    });
}

const timeoutsObject = object(
  {
    setup: { schema: time, doc: 'For each `setup` and `teardown`. Default: 5m.' },
    agent: {
      schema: time,
      doc: 'For all steps of the agent together. Default: the time limit of the attempt.',
    },
    checks: { schema: time, doc: 'For all evaluators together. Default: the time limit of the attempt.' },
  },
  { what: '`timeouts`' },
);

/** The same in a test and in a file. */
export const WORKSPACE_FIELDS = {
  workspace: {
    schema: byType({ object: workspaceObject, string: unsupported(HINT) }),
    doc: 'The folder that the agent may change: a fresh copy of a template for each attempt.',
  },
  setup: {
    schema: argv,
    doc: 'A program, with its arguments, that prepares the workspace. Needs `--allow-scripts`.',
  },
  teardown: {
    schema: argv,
    doc: 'A program, with its arguments, that runs in the workspace after each attempt, whatever happened. Needs `--allow-scripts`.',
  },
  environment: {
    schema: byType({ object: refine(environmentObject, oneSandbox), string: unsupported(HINT) }),
    doc: 'What the agent can see and reach: its home folder, the network, a container.',
  },
  timeouts: {
    schema: timeoutsObject,
    doc: 'Time limits of a test with a workspace: `{ setup: 5m, agent: 10m, checks: 2m }`.',
  },
} as const satisfies Fields;

export type ReadWorkspace = ObjectOf<typeof WORKSPACE_FIELDS>;

/** What a test and its file say together. The test's own fields win. */
export function planWorkspace(
  own: ReadWorkspace,
  reader: Reader,
  file: ReadWorkspace = {},
): WorkspacePlan | undefined {
  const workspace = listed({ ...file.workspace, ...own.workspace }, ['exclude', 'protect', 'artifacts']);
  const environment = listed({ ...file.environment, ...own.environment }, ['env', 'loads']);
  const timeouts: WorkspaceTimeouts = { ...file.timeouts, ...own.timeouts };
  const all = [own, file].flatMap((each) => Object.values(each));
  if (all.every((each) => each === undefined)) return undefined;
  const teardown = [own.teardown, file.teardown].filter((each) => each !== undefined);
  return {
    ...workspace,
    prepare: file.setup,
    setup: own.setup,
    ...(teardown.length > 0 && { teardown }),
    ...(Object.keys(environment).length > 0 && { environment }),
    ...(Object.keys(timeouts).length > 0 && { timeouts }),
    place: reader.place(
      own.workspace === undefined ? (own.setup === undefined ? 'id' : 'setup') : 'workspace',
    ),
  };
}

/** One string is a list of one. */
function listed(fields: object, names: readonly string[]): Partial<WorkspacePlan> & EnvironmentPlan {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      names.includes(name) ? [value].flat() : (value as unknown),
    ]),
  );
}

/** The fields of a workspace, out of all that was read. */
export function workspaceFields(read: ReadWorkspace): ReadWorkspace {
  const names = Object.keys(WORKSPACE_FIELDS) as (keyof ReadWorkspace)[];
  return Object.fromEntries(names.flatMap((name) => (read[name] === undefined ? [] : [[name, read[name]]])));
}
