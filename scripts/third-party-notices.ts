// The licenses of everything that is bundled into dist/.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledPackages } from './bundled-packages.ts';

export function thirdPartyNotices(): string {
  const sections = bundledPackages().map(({ name, folder, manifest }) => {
    const { license = 'see below', version } = manifest;
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text =
      file === undefined ? '' : `\n\n\`\`\`text\n${readFileSync(join(folder, file), 'utf8').trim()}\n\`\`\``;
    return `## ${name} ${version}\n\nLicense: ${license}${text}\n`;
  });
  return `# Third-party notices\n\nAssay is bundled with the following packages.\n\n${sections.join('\n')}`;
}
