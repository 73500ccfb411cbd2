import { printJson } from '../../base/model/print-json.ts';
import { byType } from '../../base/schema/by-type.ts';
import { defineConfigurable } from '../contract/evaluator-kind.ts';
import { list } from '../../base/schema/list.ts';
import { duration } from '../../base/schema/duration.ts';
import { text } from '../../base/schema/values.ts';
import { graderPayload } from '../agentv/grader-payload.ts';
import { judgePayload } from '../judge-payload.ts';
import { mayAskJudge, ScriptAccess, scriptTarget } from '../script-access.ts';
import { judgeByScript } from '../script-judge.ts';
import { traceSummaryWarnings } from '../trace-summary.ts';

/** A program: its words, or a line for the shell. */
export const program = byType({
  array: list(text(), { nonEmpty: true, label: 'list of words' }),
  string: text({ nonEmpty: true, label: 'shell line' }),
});

interface ForeignParameters {
  /** The program expects what newer AgentV releases give it. Authors say so with `type: script`. */
  readonly stdin?: 'agentv';
}

export const codeJudge = defineConfigurable({
  kind: 'code_judge',
  doc: 'Your program reads the evidence as JSON on stdin and prints a score.',
  example: { script: ['node', 'judge.mjs'] },
  reads: [],
  fields: {
    script: {
      schema: program,
      doc: 'The program and its arguments. A string runs with `sh -c`.',
      missing: 'missing_script',
      verbatim: 'all',
    },
    cwd: {
      schema: text({ nonEmpty: true }),
      doc: "Its working folder. Default: the suite file's folder.",
      verbatim: 'all',
    },
    timeout_ms: { schema: duration({ min: 1 }), doc: 'How long it may take.' },
    target: {
      schema: scriptTarget,
      doc: 'Lets the program ask the judge of the config: `{ max_calls: 10 }`, or `true` for 50 calls.',
    },
  },
  async evaluate({ script, cwd, timeout_ms, target, config, ...others }, evidence, tools) {
    const isAgentv = (others as ForeignParameters).stdin === 'agentv';
    const payload = isAgentv ? graderPayload : judgePayload;
    const judge = mayAskJudge(target) ? new ScriptAccess(target, tools) : undefined;
    const request = {
      script,
      stdin: printJson(payload(evidence, config, tools)),
      cwd,
      timeoutMs: timeout_ms,
      judge: judge?.access,
    };
    const scored = await judgeByScript(request, tools, { threshold: evidence.threshold, isAgentv });
    const outcome = judge === undefined ? scored : judge.review(scored);
    if ('error' in outcome) return outcome;
    const warnings = [...(outcome.warnings ?? []), ...traceSummaryWarnings(evidence)];
    return warnings.length === 0 ? outcome : { ...outcome, warnings };
  },
  async preflight({ script, cwd, target }, tools) {
    const missing = await tools.findProgram({ script, cwd });
    return mayAskJudge(target) ? [...missing, ...(await tools.findJudge(undefined))] : missing;
  },
  needs: ({ script, cwd, target }) => ({
    programs: [{ script, cwd }],
    ...(mayAskJudge(target) ? { judges: [undefined] } : {}),
  }),
});
