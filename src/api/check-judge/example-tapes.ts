import { resolve } from 'node:path';
import type { AttemptTape } from '../../evidence/cassettes/cassette-deck.ts';
import { CassetteError } from '../../evidence/cassettes/cassette-error.ts';
import type { TargetResolver } from '../../suites/config/target-resolver.ts';
import { gateFetch } from '../../evidence/observe/gate-fetch.ts';
import type { Judge } from '../../checks/judges/judge.ts';
import type { LabelledExample } from '../../checks/judges/labelled-examples.ts';
import { ModelError } from '../../agents/llm/model-error.ts';
import { findProjectRoot } from '../../suites/load/project-root.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { CassetteSettings } from '../targets/cassette-settings.ts';
import { RunCassettes } from '../targets/run-cassettes.ts';
import type { CheckedExample } from './check-examples.ts';

interface TapedJudge {
  readonly resolver: TargetResolver;
  /** Of the examples. */
  readonly file: string;
  readonly judge: Judge;
}

export interface ExampleTapes {
  /** The judge, its calls recorded or replayed for this example. */
  readonly judgeFor: (example: LabelledExample) => Judge;
  /** Writes what was recorded. */
  close(results: readonly CheckedExample[]): readonly Finding[];
}

/** A cassette for each example, by its line. */
export async function openTapes(
  settings: CassetteSettings,
  { resolver, file, judge }: TapedJudge,
): Promise<ExampleTapes> {
  const redactor = await resolver.redactor();
  const cassettes = new RunCassettes(settings, { projectRoot: findProjectRoot(process.cwd()), redactor });
  const tapes = new Map<number, AttemptTape>();
  const open = (line: number): AttemptTape =>
    cassettes.deck.open({ file: resolve(file), test: `line ${line}`, target: judge.name, repeat: 1 });
  return {
    judgeFor({ line }) {
      try {
        const tape = open(line);
        tapes.set(line, tape);
        const { beforeJudgeCall: beforeCall } = tape;
        const toError = ({
          kind,
          message,
        }: {
          readonly kind: ModelError['kind'];
          readonly message: string;
        }) => new ModelError(kind, message);
        const wrapFetch = gateFetch({ beforeCall }, { step: 1, toError });
        return { ...judge, assess: (request, calling) => judge.assess(request, { ...calling, wrapFetch }) };
      } catch (error) {
        if (!(error instanceof CassetteError)) throw error;
        return { ...judge, assess: () => Promise.reject(error) };
      }
    },
    close(results) {
      const notes = results.flatMap((result) => {
        const error = 'error' in result ? 'judge' : undefined;
        const found = tapes.get(result.line)?.end({ error, isFault: false }) ?? [];
        return found.map((note) => ({
          ...note,
          severity: 'warning' as const,
          file,
          line: result.line,
          column: 1,
          path: '',
        }));
      });
      return [...cassettes.close(), ...notes];
    },
  };
}
