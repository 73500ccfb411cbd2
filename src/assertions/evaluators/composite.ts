import type { Assertion } from '../../model/assertion.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { defineEvaluator, type EvaluatorKind } from '../../schema/assertion-kind.ts';
import { didYouMean, quoteName } from '../../schema/did-you-mean.ts';
import { mapOf, object } from '../../schema/object.ts';
import type { Reader } from '../../schema/reader.ts';
import { given, refine } from '../../schema/refine.ts';
import type { Schema } from '../../schema/schema.ts';
import { number, oneOf, text } from '../../schema/values.ts';
import { joinWanted } from '../join-wanted.ts';
import { aggregate, preflightAggregator, weightOf, type Aggregator } from './aggregate.ts';
import { program } from './code-judge.ts';

const aggregator = refine(
  object(
    {
      type: {
        schema: oneOf(['weighted_average', 'code_judge', 'llm_judge']),
        doc: 'How the scores become one.',
        missing: 'missing_type',
      },
      weights: {
        schema: mapOf(number({ min: 0 })),
        doc: 'For `weighted_average`: evaluator name to weight. Default: 1 each.',
      },
      script: { schema: program, doc: 'For `code_judge`: the program.', aliases: { path: program } },
      prompt: { schema: text({ nonEmpty: true }), doc: 'For `llm_judge`: the prompt.' },
    },
    { what: 'an aggregator' },
  ),
  (authored: Json, reader: Reader) => {
    if (
      (authored as JsonObject)['type'] === 'code_judge' &&
      !given(authored, 'script') &&
      !given(authored, 'path')
    ) {
      reader.error({ code: 'missing_script', message: 'the aggregator `code_judge` needs `script`' });
    }
  },
);

/** It holds evaluators itself, so it is made with the schema of a list of them. */
export function createComposite(evaluators: Schema<readonly Assertion[]>): EvaluatorKind {
  const members = notEmpty(evaluators);
  const kind = defineEvaluator({
    kind: 'composite',
    doc: 'Several evaluators as one.',
    fields: {
      evaluators: {
        schema: members,
        doc: 'The evaluators.',
        missing: 'missing_evaluators',
        aliases: { assertions: members },
        twice: 'error',
      },
      aggregator: { schema: aggregator, doc: 'How their scores become one. Default: the weighted average.' },
    },
    async evaluate(parameters, evidence, tools) {
      const { evaluators: inner = [], aggregator: how = AVERAGE } =
        parameters as unknown as CompositeParameters;
      return aggregate(await tools.evaluateAll(inner), how, { evidence, tools });
    },
    async preflight(parameters, tools) {
      const { evaluators: inner = [], aggregator: how = AVERAGE } =
        parameters as unknown as CompositeParameters;
      const counting = inner.filter(({ name }) => weightOf(name, how) > 0);
      return [...(await tools.checkAll(counting)), ...(await preflightAggregator(how, tools))];
    },
    oracle(parameters, { wantedBy }) {
      const { evaluators: inner = [], aggregator: how = AVERAGE } =
        parameters as unknown as CompositeParameters;
      const wanted = inner.map(wantedBy).filter((want) => want !== undefined);
      return how.type === 'weighted_average' && wanted.length === inner.length
        ? joinWanted(wanted)
        : undefined;
    },
  });
  return { ...kind, schema: withKnownWeights(kind.schema) };
}

function notEmpty(evaluators: Schema<readonly Assertion[]>): Schema<readonly Assertion[]> {
  return {
    ...evaluators,
    read(value, reader) {
      const read = evaluators.read(value, reader);
      if (Array.isArray(value) && value.length === 0)
        reader.error({ code: 'empty', message: 'a composite of no evaluators judges nothing' });
      return read;
    },
  };
}

/** A weight for a name that no evaluator has would be without effect. */
function withKnownWeights(schema: EvaluatorKind['schema']): EvaluatorKind['schema'] {
  return {
    ...schema,
    read(value, reader) {
      const read = schema.read(value, reader);
      const { evaluators = [], aggregator: how = AVERAGE } = (read ?? {}) as CompositeParameters;
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
    },
  };
}

interface CompositeParameters {
  readonly evaluators?: readonly Assertion[];
  readonly aggregator?: Aggregator;
}

const AVERAGE: Aggregator = { type: 'weighted_average' };
