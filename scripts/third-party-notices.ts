// The licenses of everything that is bundled into dist/.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledPackages } from './bundled-packages.ts';

export function thirdPartyNotices(): string {
  const byText = new Map<string, string[]>();
  for (const { name, folder, manifest } of bundledPackages()) {
    const { license = 'see below', version } = manifest;
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
    const fenced = text === '' ? '' : `\n\n\`\`\`text\n${text}\n\`\`\``;
    const notice = `License: ${license}${fenced}\n`;
    byText.set(notice, [...(byText.get(notice) ?? []), `${name} ${version}`]);
  }
  const sections = [...byText].map(([notice, packages]) => `## ${packages.join(', ')}\n\n${notice}`);
  return `# Third-party notices\n\nAssay is bundled with the following packages.\n\n${sections.join('\n')}`;
}
