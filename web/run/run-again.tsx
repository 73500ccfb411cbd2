import { useEffect, useRef, useState } from 'preact/hooks';
import type { AgainRequest } from '../../src/base/model/page-data.ts';
import { go, linkTo } from '../route/route.ts';
import { useSource } from '../source/source-context.ts';
import { formatCost, plural } from '../text/format.ts';
import { Shown, Text } from '../text/text.tsx';
import type { Estimate } from './test-row.ts';
import './run-again.css';

/** Starts the rerun command of a run, after a confirmation; the new run is then shown live. */
export function RunAgain({
  name,
  runId,
  request,
  estimate,
}: {
  /** `Run the failures again`. */
  readonly name: string;
  readonly runId: string;
  readonly request: AgainRequest;
  readonly estimate: Estimate;
}) {
  const source = useSource();
  const [isAsking, setAsking] = useState(false);
  if (source.again === undefined) return null;
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        {name}
      </button>
      {isAsking && <Confirmation {...{ name, runId, request, estimate }} onClose={() => setAsking(false)} />}
    </>
  );
}

function Confirmation({
  name,
  runId,
  request,
  estimate: { attempts, costUsd },
  onClose,
}: Parameters<typeof RunAgain>[0] & { readonly onClose: () => void }) {
  const { again } = useSource();
  const dialog = useRef<HTMLDialogElement>(null);
  const [command, setCommand] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [isStarting, setStarting] = useState(false);
  const fail = (error: unknown): void => {
    setStarting(false);
    setProblem(error instanceof Error ? error.message : String(error));
  };
  useEffect(() => {
    dialog.current?.showModal();
    again!.command(runId, request).then(setCommand, fail);
  }, []);
  const start = (): void => {
    setStarting(true);
    again!.start(runId, request).then((id) => go(linkTo(['runs', id])), fail);
  };
  return (
    <dialog ref={dialog} class="card run-again" aria-labelledby="run-again" onClose={onClose}>
      <h2 id="run-again">{name}?</h2>
      {command !== undefined && (
        <p>
          <code>
            <Shown text={command} />
          </code>
        </p>
      )}
      <p>
        {plural(attempts, 'attempt')} last time,{' '}
        {costUsd === undefined ? 'at an unknown cost' : `for about ${formatCost(costUsd)}`}.
      </p>
      {problem !== undefined && (
        <p role="alert" class="mark-failed">
          <Text value={problem} />
        </p>
      )}
      <div class="run-again-buttons">
        <button type="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
        <button type="button" disabled={command === undefined || isStarting} onClick={start}>
          {isStarting ? 'Starting…' : 'Run'}
        </button>
      </div>
    </dialog>
  );
}
