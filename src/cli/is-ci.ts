import type { CommandContext } from './command.ts';

type Environment = CommandContext['env'];

/** Set by CI systems, and by nothing else that a person works with. `CI` itself decides when it is set. */
const CI_VARIABLES = [
  'APPVEYOR',
  'BITBUCKET_BUILD_NUMBER',
  'BITRISE_IO',
  'BUDDY_WORKSPACE_ID',
  'BUILDKITE',
  'BUILD_ID',
  'BUILD_NUMBER',
  'CI_BUILD_ID',
  'CI_BUILD_NUMBER',
  'CI_NAME',
  'CIRCLECI',
  'CIRRUS_CI',
  'CODEBUILD_BUILD_ID',
  'CONTINUOUS_INTEGRATION',
  'DRONE',
  'GITHUB_ACTIONS',
  'GITLAB_CI',
  'GO_PIPELINE_LABEL',
  'HARNESS_BUILD_ID',
  'HEROKU_TEST_RUN_ID',
  'HUDSON_URL',
  'JENKINS_URL',
  'PROW_JOB_ID',
  'SCREWDRIVER',
  'SEMAPHORE',
  'TASKCLUSTER_ROOT_URL',
  'TEAMCITY_VERSION',
  'TF_BUILD',
  'TRAVIS',
  'WERCKER',
  'WOODPECKER',
  'bamboo_planKey',
];

/** Nobody watches, and nobody reviews what a command changes. `CI=false` and `CI=0` say that this is not CI. */
export function isCi(env: Environment): boolean {
  const { CI = '' } = env;
  return CI.trim() === '' ? CI_VARIABLES.some((name) => isOn(env[name])) : isOn(CI);
}

/** Annotations and a step summary come by themselves there. */
export function isOnGitHub(env: Environment): boolean {
  return env['GITHUB_ACTIONS'] === 'true';
}

function isOn(value = ''): boolean {
  return !/^\s*(?:|0|false|no|off)\s*$/i.test(value);
}
