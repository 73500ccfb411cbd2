import { PORT, PYTHON_PROGRAM, PYTHON_SERVER } from './python-wrappers.ts';
import type { Choices, Kind, Language } from './choices.ts';
import { readPackageFile } from './package-file.ts';
import type { TemplateFile } from './template-file.ts';

/** A working example: an agent, a test, and the config that connects them. It needs no key and no network. */
export function exampleFiles({
  kind = 'function',
  language = 'typescript',
}: Pick<Choices, 'kind' | 'language'> = {}): readonly TemplateFile[] {
  const agent = agentFiles(kind, language);
  return [
    ...agent,
    { name: 'booking.test.yaml', text: readExample('booking.test.yaml') },
    { name: 'assay.config.yaml', text: configFor(kind, agent.at(-1)!.name) },
  ];
}

/** The file that Assay calls or starts is the last one. Node 20 starts no TypeScript, so programs are JavaScript. */
function agentFiles(kind: Kind, language: Language): readonly TemplateFile[] {
  if (language === 'python') {
    const agent = { name: 'agent.py', text: readExample('agent.py') };
    switch (kind) {
      case 'function':
        return [agent];
      case 'program':
        return [agent, { name: 'program.py', text: PYTHON_PROGRAM }];
      case 'server':
        return [agent, { name: 'server.py', text: PYTHON_SERVER }];
    }
  }
  const agent = { name: 'agent.mjs', text: readExample('agent.mjs') };
  switch (kind) {
    case 'function':
      return [{ name: 'agent.ts', text: readExample('agent.ts') }];
    case 'program':
      return [agent, { name: 'program.mjs', text: readExample('command-agent.mjs') }];
    case 'server':
      return [agent, { name: 'server.mjs', text: withOwnPort(readExample('server.mjs')) }];
  }
}

const readExample = (name: string): string => readPackageFile(`examples/flight-booking/${name}`);

/** So that a project of `assay init` and the example can run at the same time. */
const withOwnPort = (text: string): string => text.replace(EXAMPLE_PORT, String(PORT));
const EXAMPLE_PORT = '18_734';

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
