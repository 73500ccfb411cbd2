// What the package consists of, as CycloneDX: Assay, and everything that is bundled into dist/. The same every time for
// the same packages, so it has neither a time nor a serial number.
import { readFileSync } from 'node:fs';
import { bundledPackages, type BundledPackage } from './bundled-packages.ts';

export function sbom(): object {
  const own = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest & { readonly description: string };
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as LockFile;
  const components = bundledPackages().map(({ folder, manifest }) => ({
    ...describe(manifest),
    hashes: [{ alg: 'SHA-512', content: sha512(lock.packages[folder]!.integrity) }],
  }));
  const root = { ...describe(own), type: 'application', description: own.description };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: root },
    components,
    dependencies: [{ ref: root['bom-ref'], dependsOn: components.map((component) => component['bom-ref']) }],
  };
}

type Manifest = BundledPackage['manifest'];

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly integrity: string }>>;
}

function describe({ name, version, license = 'NOASSERTION' }: Manifest) {
  const isExpression = /[ (]/.test(license);
  return {
    type: 'library',
    'bom-ref': `${name}@${version}`,
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [isExpression ? { expression: license } : { license: { id: license } }],
  };
}

function sha512(integrity: string): string {
  const [algorithm, digest = ''] = integrity.split('-');
  if (algorithm !== 'sha512') throw new Error(`the lock file holds a hash of another kind: ${algorithm}`);
  return Buffer.from(digest, 'base64').toString('hex');
}
