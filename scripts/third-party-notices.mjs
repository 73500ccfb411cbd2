// The licenses of everything that is bundled into dist/: the packages named here, and what they depend on.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const BUNDLED = [
  '@ai-sdk/anthropic',
  '@ai-sdk/azure',
  '@ai-sdk/google',
  '@ai-sdk/openai',
  '@ai-sdk/openai-compatible',
  'ai',
  'ajv',
  'diff',
  'jiti',
  'js-yaml',
  'picocolors',
  'preact',
  'tinyglobby',
  'yaml',
];

export function thirdPartyNotices() {
  const packages = [...collect()].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const sections = packages.map(([name, folder]) => {
    const { license = 'see below', version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text =
      file === undefined ? '' : `\n\n\`\`\`text\n${readFileSync(join(folder, file), 'utf8').trim()}\n\`\`\``;
    return `## ${name} ${version}\n\nLicense: ${license}${text}\n`;
  });
  return `# Third-party notices\n\nAssay is bundled with the following packages.\n\n${sections.join('\n')}`;
}

function collect() {
  const found = new Map();
  const waiting = BUNDLED.map((name) => [name, 'node_modules']);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [name, from] = next;
    const folder = [join(from, name), join('node_modules', name)].find((path) =>
      existsSync(join(path, 'package.json')),
    );
    if (folder === undefined || found.has(name)) continue;
    found.set(name, folder);
    const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    for (const dependency of Object.keys(dependencies))
      waiting.push([dependency, join(folder, 'node_modules')]);
  }
  return found;
}
