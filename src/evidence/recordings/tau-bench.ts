import { ownValue, type Json } from '../../base/model/json.ts';
import { listAt, numberAt, objectAt, textAt } from '../foreign-fields.ts';
import { chatTurns } from './chat.ts';
import { idText, readEach, type RecordingFormat } from './recording.ts';

/** Results of τ-bench. `info.task.actions` are the expected calls, not those that were made. */
export const TAU_BENCH: RecordingFormat = {
  name: 'tau-bench',
  title: 'τ-bench results',
  recognises: ([first]) => first !== undefined && 'task_id' in first && listAt(first, 'traj') !== undefined,
  open: readEach((value, line) => {
    const trial = numberAt(value, 'trial') ?? 0;
    const task = objectAt(objectAt(value, 'info'), 'task');
    const reward = numberAt(value, 'reward');
    return [
      {
        id: idText(ownValue(value, 'task_id')) ?? `line ${line}`,
        target: 'tau-bench',
        repeat: trial + 1,
        line,
        description: task && textAt(task, 'instruction'),
        turns: chatTurns(withoutStop(listAt(value, 'traj') ?? []), line),
        scores: reward === undefined ? undefined : { reward },
        metadata: { task_id: ownValue(value, 'task_id') ?? null, trial },
      },
    ];
  }),
};

/** The simulated user ends the conversation so. */
function withoutStop(messages: readonly Json[]): readonly Json[] {
  const last = messages.at(-1);
  const isStop = textAt(last, 'role') === 'user' && (textAt(last, 'content') ?? '').includes('###STOP###');
  return isStop ? messages.slice(0, -1) : messages;
}
