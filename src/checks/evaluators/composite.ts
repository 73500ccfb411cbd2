import type { Assertion } from '../../base/model/assertion.ts';
import { isJsonObject, ownValue, type Json } from '../../base/model/json.ts';
import { defineEvaluator, type EvaluatorKind } from '../contract/evaluator-kind.ts';
import { didYouMean, quoteName } from '../../base/schema/did-you-mean.ts';
import { complete, mapOf, object } from '../../base/schema/object.ts';
import type { Reader } from '../../base/schema/reader.ts';
import { given, refine, readingOf } from '../../base/schema/refine.ts';
import type { Schema } from '../../base/schema/schema.ts';
import { number, oneOf } from '../../base/schema/values.ts';
import { aggregate, aggregatorNeeds, preflightAggregator, weightOf, type Aggregator } from './aggregate.ts';
import { aggregatorPrompt } from './aggregate-prompt.ts';
import { program } from './code-judge.ts';

const AGGREGATOR_NAMES: Readonly<Record<string, Aggregator['type']>> = {
  weighted_average: 'weighted_average',
  threshold: 'threshold',
  code_judge: 'code_judge',
  llm_judge: 'llm_judge',
  // The names of newer AgentV files.
  code_grader: 'code_judge',
  llm_grader: 'llm_judge',
};

const aggregatorNames = oneOf([
  ...Object.keys(AGGREGATOR_NAMES),
  'weighted-average',
  'code-grader',
  'llm-grader',
]);

const aggregatorType: Schema<Aggregator['type']> = {
  ...aggregatorNames,
  label: oneOf(['weighted_average', 'threshold', 'code_judge', 'llm_judge']).label,
  read(value, reader) {
    const name = aggregatorNames.read(value, reader);
    return name === undefined ? undefined : AGGREGATOR_NAMES[name.replaceAll('-', '_')];
  },
};

const aggregator = refine(
  complete(
    object(
      {
        type: {
          schema: aggregatorType,
          doc: 'How to combine the scores.',
          missing: 'missing_type',
        },
        weights: {
          schema: mapOf(number({ min: 0 })),
          doc: 'For `weighted_average`: evaluator name to weight. Default: 1 each.',
        },
        threshold: {
          schema: number({ min: 0, max: 1 }),
          doc: 'For `threshold`: the share of the evaluators that must pass. For `weighted_average`: the mean to reach. Below it the test fails.',
        },
        script: { schema: program, doc: 'For `code_judge`: the program.', aliases: { path: program } },
        prompt: { schema: aggregatorPrompt, doc: 'For `llm_judge`: the prompt.' },
      },
      { what: 'an aggregator' },
    ),
  ),
  (_authored, reader, { type, script, threshold }) => {
    if (type === 'code_judge' && script === undefined)
      reader.error({ code: 'missing_script', message: 'the aggregator `code_judge` needs `script`' });
    if (type === 'threshold' && threshold === undefined)
      reader.error({ code: 'missing_value', message: 'the aggregator `threshold` needs `threshold`' });
    if ((type === 'code_judge' || type === 'llm_judge') && threshold !== undefined)
      reader.error({
        code: 'value',
        message: `\`threshold\` has no effect on the aggregator \`${type}\`: its score decides`,
        hint: 'remove it',
        at: ['threshold'],
      });
  },
);

/** It contains evaluators itself, so it is created with the schema of a list of them. */
export function createComposite(evaluators: Schema<readonly Assertion[]>): EvaluatorKind {
  const members = notEmpty(evaluators);
  const kind = defineEvaluator({
    kind: 'composite',
    doc: 'Combines several evaluators.',
    example: {
      evaluators: [
        { type: 'contains', value: 'Paris' },
        { type: 'latency', threshold: 5000 },
      ],
    },
    reads: [],
    nests: {
      field: 'evaluators',
      weightOf: ({ name }, { aggregator: how = AVERAGE }) => weightOf(name, how),
      isMean: ({ aggregator: how = AVERAGE }) =>
        how.type === 'weighted_average' && how.threshold === undefined,
    },
    fields: {
      evaluators: {
        schema: members,
        doc: 'The evaluators.',
        missing: 'missing_evaluators',
        aliases: { assertions: members, assert: members },
        twice: 'error',
      },
      aggregator: {
        schema: aggregator,
        verbatim: 'all',
        doc: 'How to combine their scores. Default: the weighted average.',
      },
    },
    async evaluate({ evaluators: inner, aggregator: how = AVERAGE }, evidence, tools) {
      return aggregate(await tools.evaluateAll(inner), how, { evidence, tools });
    },
    async preflight({ evaluators: inner, aggregator: how = AVERAGE }, tools) {
      const counting = inner.filter(({ name }) => weightOf(name, how) > 0);
      return [...(await tools.checkAll(counting)), ...(await preflightAggregator(how, tools))];
    },
    needs: ({ aggregator: how = AVERAGE }) => aggregatorNeeds(how),
    oracle({ evaluators: inner, aggregator: how = AVERAGE }, { wantedBy }) {
      const wanted = inner.map(wantedBy).filter((want) => want !== undefined);
      if (!isCounted(how) || wanted.length < inner.length) return undefined;
      return {
        about: [...new Set(wanted.flatMap(({ about }) => about))],
        impossible: inner.every(({ name }) => weightOf(name, how) === 0)
          ? 'all its weights are 0'
          : undefined,
      };
    },
  });
  return { ...kind, schema: withKnownWeights(kind.schema) };
}

/** Whether the scores alone decide. */
function isCounted({ type }: Aggregator): boolean {
  return type === 'weighted_average' || type === 'threshold';
}

function notEmpty(evaluators: Schema<readonly Assertion[]>): Schema<readonly Assertion[]> {
  return {
    ...evaluators,
    read(value, reader) {
      const read = evaluators.read(value, reader);
      if (Array.isArray(value) && value.length === 0)
        reader.error({ code: 'empty', message: 'a composite without evaluators checks nothing' });
      return read;
    },
  };
}

/** A weight for an unknown name would have no effect. */
function withKnownWeights(schema: EvaluatorKind['schema']): EvaluatorKind['schema'] {
  return readingOf(schema, (value, reader) => {
    const read = schema.read(value, reader);
    const { evaluators = [], aggregator: how = AVERAGE } = (read ?? {}) as CompositeParameters;
    warnAboutMembers(value, reader);
    const names = evaluators.map(({ name }) => name);
    for (const name of Object.keys(how.weights ?? {})) {
      if (names.includes(name)) continue;
      const hint = didYouMean(name, names) ?? `their names are ${names.map(quoteName).join(', ')}`;
      reader.error({
        code: 'unknown_name',
        message: `no evaluator here has the name ${quoteName(name)}`,
        hint,
        at: ['aggregator', 'weights', name],
        onKey: true,
      });
    }
    return read;
  });
}

/** A member's own weight in a test counts only outside of a composite. */
function warnAboutMembers(value: Json, reader: Reader): void {
  const list = isJsonObject(value)
    ? (value['evaluators'] ?? value['assertions'] ?? value['assert'])
    : undefined;
  for (const [index, member] of (Array.isArray(list) ? list : []).entries()) {
    for (const field of ['weight', 'required']) {
      const own = isJsonObject(member) ? ownValue(member, field) : undefined;
      if (own === undefined || own === null || own === false || (field === 'weight' && own === 1)) continue;
      reader.warning({
        code: 'without_effect',
        message: `\`${field}\` has no effect on an evaluator inside a composite`,
        hint:
          field === 'weight'
            ? 'give it under `aggregator: { type: weighted_average, weights: { name: ... } }`'
            : 'move the evaluator out of the composite, or set `required` on the composite',
        at: [given(value, 'evaluators') ? 'evaluators' : 'assertions', index, field],
      });
    }
  }
}

interface CompositeParameters {
  readonly evaluators?: readonly Assertion[];
  readonly aggregator?: Aggregator;
}

const AVERAGE: Aggregator = { type: 'weighted_average' };
