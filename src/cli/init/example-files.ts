import {
  JAVASCRIPT_PROGRAM,
  JAVASCRIPT_SERVER,
  PORT,
  PYTHON_PROGRAM,
  PYTHON_SERVER,
} from './agent-wrappers.ts';
import { BOOKING_TEST } from './booking-test.ts';
import type { Choices, Kind, Language } from './choices.ts';
import { JAVASCRIPT_AGENT } from './javascript-agent.ts';
import { PYTHON_AGENT } from './python-agent.ts';
import type { TemplateFile } from './template-file.ts';
import { TYPESCRIPT_AGENT } from './typescript-agent.ts';

/** A working example: an agent, a test, and the config that connects them. It needs no key and no network. */
export function exampleFiles({
  kind = 'function',
  language = 'typescript',
}: Pick<Choices, 'kind' | 'language'> = {}): readonly TemplateFile[] {
  const agent = agentFiles(kind, language);
  return [
    ...agent,
    { name: 'booking.test.yaml', text: BOOKING_TEST },
    { name: 'assay.config.yaml', text: configFor(kind, agent.at(-1)!.name) },
  ];
}

/** The file that Assay calls or starts is the last one. Node 20 starts no TypeScript, so programs are JavaScript. */
function agentFiles(kind: Kind, language: Language): readonly TemplateFile[] {
  const python = { name: 'agent.py', text: PYTHON_AGENT };
  const javascript = { name: 'agent.mjs', text: JAVASCRIPT_AGENT };
  switch (kind) {
    case 'function':
      return [language === 'python' ? python : { name: 'agent.ts', text: TYPESCRIPT_AGENT }];
    case 'program':
      return language === 'python'
        ? [python, { name: 'program.py', text: PYTHON_PROGRAM }]
        : [javascript, { name: 'program.mjs', text: JAVASCRIPT_PROGRAM }];
    case 'server':
      return language === 'python'
        ? [python, { name: 'server.py', text: PYTHON_SERVER }]
        : [javascript, { name: 'server.mjs', text: JAVASCRIPT_SERVER }];
  }
}

function configFor(kind: Kind, file: string): string {
  const start = `[${file.endsWith('.py') ? 'python3' : 'node'}, ${file}]`;
  switch (kind) {
    case 'function':
      return `# The default agent for the tests.\nagent: ./${file}\n`;
    case 'program':
      return `targets:\n  # Started once for each step.\n  - name: program\n    command: ${start}\n`;
    case 'server':
      return `targets:\n  # Assay starts the server and waits for it. Without \`start\`, it must be running.\n  - name: server\n    url: http://127.0.0.1:${PORT}/\n    start: ${start}\n    healthcheck: /\n`;
  }
}
