import { printTargetCode } from '../../config/target-code.ts';
import type { TargetResolver } from '../../config/target-resolver.ts';
import { hashHex } from '../../match/hash-text.ts';

/** Identifies the agent of a test: its settings, and its code with everything of the project that the code loads. */
export class AgentPrints {
  private readonly resolver: TargetResolver;
  private readonly projectRoot: string;
  private readonly prints = new Map<string, Promise<string>>();

  constructor(resolver: TargetResolver, projectRoot: string) {
    this.resolver = resolver;
    this.projectRoot = projectRoot;
  }

  of(file: string, target: string): Promise<string> {
    const key = `${file}\0${target}`;
    let print = this.prints.get(key);
    if (print === undefined) this.prints.set(key, (print = this.print(file, target)));
    return print;
  }

  private async print(file: string, target: string): Promise<string> {
    const [source] = await this.resolver.sourcesOf(file, target);
    if (source === undefined) return '';
    const { projectRoot } = this;
    // What a config of data says about the target is its identity; the rest of the config is not about the agent.
    const configs = source.configs.filter((config) => /\.[cm]?[jt]s$/.test(config));
    const code = printTargetCode({ ...source, configs }, file, { projectRoot, env: this.resolver.env });
    const files = [...code.files].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return hashHex(JSON.stringify([source.identity, files]));
  }
}
