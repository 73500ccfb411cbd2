import { BOOKING_TEST } from './booking-test.ts';
import { PYTHON_AGENT } from './python-agent.ts';
import type { TemplateFile } from './template-file.ts';
import { TYPESCRIPT_AGENT } from './typescript-agent.ts';

const AGENTS = {
  typescript: { name: 'agent.ts', text: TYPESCRIPT_AGENT },
  python: { name: 'agent.py', text: PYTHON_AGENT },
} as const;

type Language = keyof typeof AGENTS;

/** A working example: an agent, a test, and the config that connects them. */
export function templateFiles(language: Language): readonly TemplateFile[] {
  const agent = AGENTS[language];
  const config = `# The default agent for the tests.\nagent: ./${agent.name}\n`;
  return [
    agent,
    { name: 'booking.test.yaml', text: BOOKING_TEST },
    { name: 'assay.config.yaml', text: config },
  ];
}
