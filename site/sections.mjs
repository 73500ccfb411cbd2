/**
 * The sidebar of the docs: every page of ../docs, in reading order. A page that is missing here, or listed without a
 * file, stops the build (check-pages.mjs).
 */
export const SECTIONS = [
  {
    title: 'Start',
    pages: ['what-is-assay', 'quick-start', 'tutorial', 'concepts', 'examples'],
  },
  {
    title: 'Write tests',
    pages: [
      'formats',
      'step-tests',
      'eval-files',
      'datasets',
      'variables-and-rows',
      'assertions',
      'matchers',
      'trajectory',
      'judges',
      'code-judges',
      'custom-evaluators',
      'faults',
      'approvals',
      'test-a-skill',
      'writing-good-evals',
    ],
  },
  {
    title: 'Connect your agent',
    pages: [
      'agents',
      'agents-function',
      'agents-python',
      'agents-command',
      'agents-http',
      'models-and-mocks',
      {
        page: 'frameworks/index',
        pages: [
          'frameworks/ai-sdk',
          'frameworks/anthropic',
          'frameworks/google-genai',
          'frameworks/langgraph',
          'frameworks/mastra',
          'frameworks/openai',
          'frameworks/openai-agents',
          'frameworks/more-stacks',
        ],
      },
      {
        page: 'coding-agents',
        pages: [
          'frameworks/claude-agent-sdk',
          'frameworks/claude-code',
          'frameworks/codex',
          'frameworks/gemini-cli',
          'frameworks/opencode',
        ],
      },
      'test-a-coding-agent',
      'isolation',
      'frameworks/mcp',
      'evidence',
      'telemetry',
      'recognised-replies',
      'configuration',
      'env-and-secrets',
    ],
  },
  {
    title: 'Run and debug',
    pages: [
      'running',
      'watch',
      'debugging',
      'cassettes',
      'repeats',
      'compare-models',
      'comparing',
      'control-cost',
      'resume',
      'update-and-rescore',
      'checking-suites',
    ],
  },
  {
    title: 'Recordings',
    pages: ['import', 'grade-production-traces', 'session-to-test'],
  },
  { title: 'Results', pages: ['viewer', 'judge-accuracy', 'reporters', 'journal'] },
  { title: 'CI and scale', pages: ['ci', 'ci-github', 'ci-others', 'sharding', 'workers'] },
  {
    title: 'Integrations',
    pages: ['editor-setup', 'vitest', 'pytest', 'working-with-coding-agents', 'library'],
  },
  {
    title: 'Migrate',
    pages: [
      'comparison',
      'convert',
      'coming-from-promptfoo',
      'coming-from-openai-evals',
      'coming-from-deepeval',
      'coming-from-langsmith',
      'coming-from-adk',
      'coming-from-agentv',
      'targets-yaml',
      'coming-from-testhaven',
    ],
  },
  {
    title: 'Reference',
    pages: [
      'reference/cli',
      'reference/config',
      'reference/file-formats',
      'reference/evaluators',
      'findings',
      'reference/exit-codes',
      'reference/environment',
      'reference/json-output',
      'reference/library-api',
      'reference/limits',
    ],
  },
  {
    title: 'Help',
    pages: [
      'troubleshooting',
      'faq',
      'security',
      'statistics',
      'platforms',
      'stability',
      'glossary',
      'changelog',
    ],
  },
];

/** The pages of a section or group, without their groups. */
export function flatten(pages) {
  return pages.flatMap((page) => (typeof page === 'string' ? [page] : [page.page, ...flatten(page.pages)]));
}
