// The licenses of everything that is bundled into dist/.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledPackages } from './bundled-packages.ts';

/** A license that several packages have is printed once, with the copyright of each of them. */
export function thirdPartyNotices(): string {
  const licenses = new Map<
    string,
    { readonly license: string; readonly terms: string; packages: string[] }
  >();
  for (const { name, folder, manifest } of bundledPackages()) {
    const { license = 'see below', version } = manifest;
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const lines = file === undefined ? [] : readFileSync(join(folder, file), 'utf8').trim().split('\n');
    const copyrights = lines.filter(isCopyright).map((line) => line.trim());
    const terms = lines
      .filter((line) => !isCopyright(line))
      .join('\n')
      .trim();
    const key = `${license} ${terms.replaceAll(/\s+/g, ' ')}`;
    const known = licenses.get(key) ?? { license, terms, packages: [] };
    known.packages.push([`${name} ${version}`, ...copyrights].join('\n  '));
    licenses.set(key, known);
  }
  const sections = [...licenses.values()].map(({ license, terms, packages }) => {
    const text = [...packages, ...(terms === '' ? [] : ['', terms])].join('\n');
    return `## ${license}\n\n\`\`\`text\n${text}\n\`\`\`\n`;
  });
  return `# Third-party notices\n\nAssay is bundled with the following packages.\n\n${sections.join('\n')}`;
}

function isCopyright(line: string): boolean {
  return /^\s*(?:copyright\s+(?:\(c\)|©|\[?\d{4}|\[yyyy)|\(c\)\s*\d{4}|©)/i.test(line);
}
