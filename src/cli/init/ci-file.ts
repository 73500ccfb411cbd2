import type { CiSystem } from './choices.ts';
import type { TemplateFile } from './template-file.ts';

/** The page of the docs that has the pipeline. A test keeps both the same. */
export const CI_PAGES: Readonly<Record<Exclude<CiSystem, 'none'>, string>> = {
  github: 'ci-github.md',
  gitlab: 'ci-others.md',
  azure: 'ci-others.md',
  circleci: 'ci-others.md',
};

/** The pipelines of those pages, with the command that runs the tests. */
const FILES: Readonly<Record<Exclude<CiSystem, 'none'>, (run: string) => TemplateFile>> = {
  github: (run) => ({
    name: '.github/workflows/assay.yaml',
    text: `name: Assay

on:
  pull_request:
  push:
    branches: [main]

permissions:
  contents: read

jobs:
  test:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with:
          node-version: 22
          cache: npm
      - run: npm ci
      - run: ${plain(run)}
        # env:
        #   OPENAI_API_KEY: \${{ secrets.OPENAI_API_KEY }}
      - uses: actions/upload-artifact@v4
        if: \${{ !cancelled() }}
        with:
          name: assay-runs
          path: .assay/runs
          include-hidden-files: true
          retention-days: 14
`,
  }),
  gitlab: (run) => ({
    name: '.gitlab-ci.yml',
    text: `assay:
  image: node:22
  script:
    - npm ci
    - ${plain(`${run} --reporter junit=junit.xml`)}
  artifacts:
    when: always
    paths: [.assay/runs]
    reports:
      junit: junit.xml
`,
  }),
  azure: (run) => ({
    name: 'azure-pipelines.yml',
    text: `trigger:
  branches:
    include: [main]

pool:
  vmImage: ubuntu-latest

steps:
  - task: NodeTool@0
    inputs:
      versionSpec: 22.x
  - script: npm ci
  - script: ${plain(`${run} --reporter junit=junit.xml`)}
    displayName: Assay
    env:
      OPENAI_API_KEY: $(OPENAI_API_KEY)
  - task: PublishTestResults@2
    condition: succeededOrFailed()
    inputs:
      testResultsFormat: JUnit
      testResultsFiles: junit.xml
  - publish: .assay/runs
    condition: succeededOrFailed()
    artifact: assay-runs
`,
  }),
  circleci: (run) => ({
    name: '.circleci/config.yml',
    text: `version: 2.1

jobs:
  assay:
    docker:
      - image: cimg/node:22.18
    steps:
      - checkout
      - run: npm ci
      - run:
          name: Assay
          command: ${plain(`${run} --reporter junit=results/junit.xml`)}
      - store_test_results:
          path: results
      - store_artifacts:
          path: .assay/runs

workflows:
  test:
    jobs: [assay]
`,
  }),
};

/** The pipeline that runs this command; its name is relative to the root of the repository. */
export function ciFile(system: Exclude<CiSystem, 'none'>, run: string): TemplateFile {
  return FILES[system](run);
}

/** A command as a value in YAML: in quotes where a folder's name would make it something else. */
function plain(command: string): string {
  return /^[\w./ '=-]+$/.test(command) ? command : JSON.stringify(command);
}
