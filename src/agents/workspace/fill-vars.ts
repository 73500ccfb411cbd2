import type { JsonObject } from '../../base/model/json.ts';
import { createVariables, fillTemplate } from '../../base/schema/template.ts';
import { AgentError } from '../../evidence/reply/agent-error.ts';

/** `{{name}}` of what a setup printed. */
export function fillWords(argv: readonly string[], vars: JsonObject): readonly string[] {
  const variables = createVariables(vars);
  return argv.map((word) => {
    if (!word.includes('{{')) return word;
    const filled = fillTemplate(word, variables, ({ message }) => {
      throw new Error(`${JSON.stringify(word)}: ${message}`);
    });
    return typeof filled === 'string' ? filled : JSON.stringify(filled);
  });
}

/** The same in a string, in which other braces stay as they are. */
export function fillerOf(vars: JsonObject): (text: string) => string {
  const variables = createVariables(vars);
  const names = Object.keys(vars).map(escaped).join('|');
  const holes = new RegExp(`\\{\\{\\s*(?:${names})(?:\\.[^{}]*)?\\s*\\}\\}`, 'g');
  return (text) =>
    text.replace(holes, (hole) => {
      const value = fillTemplate(hole, variables, ({ message }) => {
        throw new AgentError('workspace', `${hole}: ${message}`);
      });
      return typeof value === 'string' ? value : JSON.stringify(value);
    });
}

function escaped(name: string): string {
  return name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
