import { chatMessages, line, present, statusOf, turnFacts, type ExportFormat } from './export-format.ts';

/** A conversation per line, with `messages` as OpenAI writes them; `turns` has what messages cannot say. */
export const JSONL_EXPORT: ExportFormat = {
  attempt: (record) =>
    line(
      present({
        id: record.test,
        target: record.target,
        repeat: record.repeat,
        status: statusOf(record),
        score: record.score,
        messages: chatMessages(record.steps),
        turns: record.steps.map(turnFacts),
        scores: record.foreign_scores,
        metadata: record.metadata,
      }),
    ),
};
