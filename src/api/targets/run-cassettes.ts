import { CassetteDeck, type DeckOptions } from '../../evidence/cassettes/cassette-deck.ts';
import { blockConnections } from '../../evidence/observe/block-connections.ts';
import { isOffline } from '../../evidence/observe/recorder.ts';
import { refuseLinks } from '../../base/files/make-folder.ts';
import { fileFinding } from '../../suites/load/read-suite-file.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { CassetteSettings } from './cassette-settings.ts';

interface RunCassettesOptions extends Pick<
  DeckOptions,
  'projectRoot' | 'redactor' | 'isResumed' | 'isJudgeOnly'
> {
  /** Other runs of this process may reach other machines: only the agents of this one may not. */
  readonly isShared?: boolean;
}

/** The cassettes of a run that goes on in this process. */
export class RunCassettes {
  readonly deck: CassetteDeck;
  readonly isReplay: boolean;
  private readonly blocked = new Set<string>();
  private readonly unblock: (() => void) | undefined;

  constructor(settings: CassetteSettings, { isShared = false, ...options }: RunCassettesOptions) {
    if (settings.mode !== 'replay') refuseLinks(settings.folder, options.projectRoot);
    this.isReplay = settings.mode === 'replay';
    const offline = {
      allowed: settings.passthrough,
      onBlocked: (host: string) => void this.blocked.add(host),
    };
    this.deck = new CassetteDeck({ ...settings, ...options, ...(this.isReplay && { offline }) });
    if (this.isReplay)
      this.unblock = blockConnections({ ...offline, ...(isShared && { applies: isOffline }) });
  }

  /** Says which hosts agents wanted to reach. */
  close(): readonly Finding[] {
    this.unblock?.();
    if (this.blocked.size === 0) return [];
    const hosts = [...this.blocked].join(', ');
    return [
      {
        ...fileFinding(
          '',
          'connection_refused',
          `while replaying, connections to ${hosts} were refused`,
          'a tool that calls its own API needs `cassettes: { passthrough: [host] }` in the config',
        ),
        severity: 'warning',
      },
    ];
  }
}
