import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '../servers/free-port.ts';
import { createProject, ROOT, type Project } from './assay-process.ts';

/** The ports that pages and examples name. Tests run side by side, so each workspace has its own. */
const WRITTEN_PORTS = [18_734, 18_735];

/** A copy of the examples, in which the package can be imported, as a reader of the docs has it. */
export class Workspace {
  readonly path: string;
  private readonly ports: ReadonlyMap<number, number>;
  private readonly project: Project;

  static async create(): Promise<Workspace> {
    const free = await Promise.all(WRITTEN_PORTS.map(freePort));
    return new Workspace(new Map(WRITTEN_PORTS.map((port, index) => [port, free[index]!])));
  }

  private constructor(ports: ReadonlyMap<number, number>) {
    this.ports = ports;
    this.project = createProject({});
    this.path = this.project.path;
    cpSync(join(ROOT, 'examples'), join(this.path, 'examples'), {
      recursive: true,
      filter: (path) => !path.includes('.assay'),
    });
    mkdirSync(join(this.path, 'node_modules'));
    symlinkSync(ROOT, join(this.path, 'node_modules', 'assay'));
    // What an example's agent is made with.
    for (const name of ['ai', '@ai-sdk'])
      symlinkSync(join(ROOT, 'node_modules', name), join(this.path, 'node_modules', name));
    // As `npx assay init .` writes them.
    for (const name of ['agent.ts', 'agent.py'])
      cpSync(join(ROOT, 'examples/flight-booking', name), join(this.path, name));
    for (const name of ['server.mjs', 'assay.config.yaml']) {
      const file = join('examples', 'flight-booking', name);
      this.write(file, readFileSync(join(this.path, file), 'utf8'));
    }
  }

  /** Writes a file, with unused ports. */
  write(name: string, text: string, { executable = false } = {}): void {
    const file = join(this.path, name);
    mkdirSync(dirname(file), { recursive: true });
    let content = text;
    for (const [written, port] of this.ports)
      content = content.replaceAll(new RegExp(spellings(written), 'g'), String(port));
    writeFileSync(file, content);
    if (executable) chmodSync(file, 0o755);
  }

  remove(): void {
    this.project.remove();
  }
}

/** 18734 and 18_734. */
function spellings(port: number): string {
  return String(port).replace(/(?=\d{3}$)/, '_?');
}
