import type { CommandContext } from './command.ts';

type Environment = CommandContext['env'];

/** Set by CI systems, and by nothing else that a person works with. `CI` itself decides when it is set. */
const CI_VARIABLES = [
  'AC_APPCIRCLE',
  'AGOLA_GIT_REF',
  'APPCENTER_BUILD_ID',
  'APPVEYOR',
  'bamboo_planKey',
  'BITBUCKET_BUILD_NUMBER',
  'BITRISE_IO',
  'BUDDY_WORKSPACE_ID',
  'BUILDER_OUTPUT',
  'BUILDKITE',
  'BUILD_ID',
  'BUILD_NUMBER',
  'CF_BUILD_ID',
  'CF_PAGES',
  'CIRCLECI',
  'CIRRUS_CI',
  'CI_BUILD_ID',
  'CI_BUILD_NUMBER',
  'CI_NAME',
  'CM_BUILD_ID',
  'CODEBUILD_BUILD_ID',
  'CONTINUOUS_INTEGRATION',
  'DRONE',
  'EARTHLY_CI',
  'EAS_BUILD',
  'GITHUB_ACTIONS',
  'GITLAB_CI',
  'GO_PIPELINE_LABEL',
  'HARNESS_BUILD_ID',
  'HEROKU_TEST_RUN_ID',
  'HUDSON_URL',
  'JENKINS_URL',
  'MAGNUM',
  'NETLIFY',
  'NEVERCODE',
  'NOW_BUILDER',
  'PROW_JOB_ID',
  'RELEASE_BUILD_ID',
  'RENDER',
  'SAILCI',
  'SCREWDRIVER',
  'SEMAPHORE',
  'SHIPPABLE',
  'STRIDER',
  'TASKCLUSTER_ROOT_URL',
  'TDDIUM',
  'TEAMCITY_VERSION',
  'TF_BUILD',
  'TRAVIS',
  'VELA',
  'VERCEL',
  'WERCKER',
  'WOODPECKER',
  'WORKERS_CI',
  'XCS',
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
