import type { HttpResponse } from './http-response.ts';
import type { RunChange } from './follow-run.ts';

const HEARTBEAT_MS = 10_000;

/** Server-sent events: `rows`, `run`, and `end` or `gone`. In between, a comment now and then keeps the connection open. */
export async function writeEvents(answer: HttpResponse, changes: AsyncIterable<RunChange>): Promise<void> {
  let wroteAt = performance.now();
  for await (const change of changes) {
    if (change.kind === 'quiet' && performance.now() - wroteAt < HEARTBEAT_MS) continue;
    answer.begin('text/event-stream; charset=utf-8');
    await answer.write(eventText(change));
    wroteAt = performance.now();
  }
  answer.end();
}

/** JSON contains no line feeds, so the data of an event is one line. */
function eventText(change: RunChange): string {
  switch (change.kind) {
    case 'rows':
      return `event: rows\ndata: [${change.lines.toString().trimEnd().replaceAll('\n', ',')}]\n\n`;
    case 'run':
      return `event: run\ndata: ${JSON.stringify({ run: change.run, live: change.live })}\n\n`;
    case 'end':
    case 'gone':
      return `event: ${change.kind}\ndata: {}\n\n`;
    case 'quiet':
      return ': still here\n\n';
  }
}
