import { printJson } from '../../model/print-json.ts';
import { byType } from '../../schema/by-type.ts';
import { defineEvaluator } from '../../schema/assertion-kind.ts';
import { list } from '../../schema/list.ts';
import { number, text } from '../../schema/values.ts';
import { judgePayload } from '../judge-payload.ts';
import { judgeByScript } from '../script-judge.ts';
import { doubtTraceSummary } from '../trace-summary.ts';

/** A program: its words, or a line for the shell. */
export const program = byType({
  array: list(text(), { nonEmpty: true, label: 'list of words' }),
  string: text({ nonEmpty: true, label: 'shell line' }),
});

export const codeJudge = defineEvaluator({
  kind: 'code_judge',
  doc: 'A program of yours reads the evidence as JSON on stdin and prints a score.',
  hasConfig: true,
  fields: {
    script: {
      schema: program,
      doc: 'The program and its arguments; a text is run by `sh -c`.',
      missing: 'missing_script',
    },
    cwd: { schema: text({ nonEmpty: true }), doc: "Where it runs. Default: the suite file's folder." },
    timeout_ms: { schema: number({ min: 1 }), doc: 'How long it may take.' },
  },
  async evaluate({ script, cwd, timeout_ms, config }, evidence, tools) {
    const request = {
      script: script as string | readonly string[],
      stdin: printJson(judgePayload(evidence, config)),
      cwd: cwd as string | undefined,
      timeoutMs: timeout_ms as number | undefined,
    };
    const outcome = await judgeByScript(request, tools);
    if ('error' in outcome) return outcome;
    const warnings = [...(outcome.warnings ?? []), ...doubtTraceSummary(evidence)];
    return warnings.length === 0 ? outcome : { ...outcome, warnings };
  },
  preflight: ({ script, cwd }, tools) =>
    tools.findProgram({ script: script as string | readonly string[], cwd: cwd as string | undefined }),
  needs: ({ script, cwd }) => ({
    programs: [{ script: script as string | readonly string[], cwd: cwd as string | undefined }],
  }),
});
