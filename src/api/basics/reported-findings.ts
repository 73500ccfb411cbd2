import { fileFinding } from '../../suites/load/read-suite-file.ts';
import { hashHex } from '../../base/match/hash-text.ts';
import type { Finding } from '../../base/model/finding.ts';
import { printJson } from '../../base/model/print-json.ts';

/** Reporters keep what they receive until their end: this is the limit for warnings, as JSON. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
/** This many of each code are reported in any case. */
const ALWAYS_REPORTED = 20;

/**
 * Which findings are reported: each once, every error, and warnings up to a limit. A run of a million tests may
 * give as many warnings; those of an attempt are in its record too.
 */
export class ReportedFindings {
  private readonly known = new Set<string>();
  private readonly reported = new Map<string, number>();
  private readonly left = new Map<string, number>();
  private characters = 0;

  /** Whether to report this one. */
  take(finding: Finding): boolean {
    const { code, severity } = finding;
    const reported = this.reported.get(code) ?? 0;
    const isReported = severity === 'error' || reported < ALWAYS_REPORTED || this.characters < MAX_CHARACTERS;
    if (!isReported) {
      this.left.set(code, (this.left.get(code) ?? 0) + 1);
      return false;
    }
    const json = printJson(finding);
    if (this.known.size === this.known.add(hashHex(json)).size) return false;
    this.reported.set(code, reported + 1);
    if (severity === 'warning') this.characters += json.length;
    return true;
  }

  /** A note about those that were left out; undefined if there are none. */
  rest(): Finding | undefined {
    if (this.left.size === 0) return undefined;
    const codes = [...this.left].map(([code, count]) => `${count} ${code}`).join(', ');
    const message = `too many warnings: the last ones are not listed (${codes})`;
    const hint = 'each is in the record of its attempt, under `findings`';
    return { ...fileFinding('', 'more_warnings', message, hint), severity: 'warning' };
  }
}
