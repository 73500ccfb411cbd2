import { expect, test } from 'vitest';
import { isCi } from './is-ci.ts';

test.each([
  { CI: 'true' },
  { CI: '1' },
  { CI: 'woodpecker' },
  { TF_BUILD: 'True' },
  { JENKINS_URL: 'https://ci.example.com/' },
  { TEAMCITY_VERSION: '2024.12' },
  { BUILDKITE: 'true' },
  { CODEBUILD_BUILD_ID: 'a:1' },
  { BUILD_ID: '7' },
  { BUILD_NUMBER: '7' },
  { GITLAB_CI: 'true' },
  { CIRCLECI: 'true' },
  { TRAVIS: 'true' },
  { DRONE: 'true' },
  { BITBUCKET_BUILD_NUMBER: '7' },
  { GITHUB_ACTIONS: 'true' },
  { NETLIFY: 'true' },
  { VERCEL: '1' },
  { CF_BUILD_ID: 'x' },
  { bamboo_planKey: 'A-B' },
  { CI: '', TF_BUILD: 'True' },
])('%o is CI', (env) => {
  expect(isCi(env)).toBe(true);
});

test.each([
  {},
  { CI: '' },
  { CI: 'false' },
  { CI: 'False' },
  { CI: '0' },
  { CI: 'false', GITHUB_ACTIONS: 'true', JENKINS_URL: 'https://ci.example.com/' },
  { CI: '0', BUILD_NUMBER: '7' },
  { TF_BUILD: '' },
  { TF_BUILD: 'False' },
  { BUILDKITE: 'false' },
  { BUILD: '7', TERM: 'xterm' },
])('%o is not CI', (env) => {
  expect(isCi(env)).toBe(false);
});
