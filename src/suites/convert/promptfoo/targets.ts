import { isJsonObject, type Json, type JsonObject } from '../../../base/model/json.ts';
import { printJson } from '../../../base/model/print-json.ts';
import { textOf, type ForeignValue } from '../foreign-value.ts';
import type { Prompt } from './prompts.ts';
import type { ProviderCode } from './provider-code.ts';
import { namedTransform, type ConvertedProvider } from './providers.ts';
import { optionOf, testField, type AuthoredTest } from './read-tests.ts';
import { textsOf } from './test-plan.ts';

type Lose = (field: ForeignValue, why: string) => void;

/** The targets of the config that is written: those of the providers, and what single tests need besides. */
export class Targets {
  private readonly providers: readonly ConvertedProvider[];
  private readonly code: ProviderCode;
  /** By what makes them different. */
  private readonly more = new Map<string, JsonObject>();

  constructor(providers: readonly ConvertedProvider[], code: ProviderCode) {
    this.providers = providers;
    this.code = code;
  }

  /** The targets of the suite: those whose answers are what promptfoo would see, if there are any. */
  get suite(): readonly string[] {
    const usable = this.providers.filter(({ blocked }) => blocked === undefined);
    return (usable.length === 0 ? this.providers : usable).map(({ name }) => name);
  }

  private get names(): readonly string[] {
    return this.providers.map(({ name }) => name);
  }

  /** Whether some of them are code that reads variables. */
  get hasCode(): boolean {
    return this.providers.some(({ isCode }) => isCode);
  }

  /** Why no answer of the suite's targets is what promptfoo would see. */
  get blocked(): string | undefined {
    return this.providers.every(({ blocked }) => blocked !== undefined)
      ? this.providers[0]?.blocked
      : undefined;
  }

  /** Those of some targets that get a prompt: a provider may name its prompts. */
  withPrompt(names: readonly string[] | undefined, prompt: Prompt): readonly string[] | undefined {
    const own = (names ?? this.suite).filter((name) => {
      const labels = this.providers.find((provider) => provider.name === name)?.prompts;
      return (
        labels === undefined || labels.some((label) => prompt.names.includes(label) || prompt.label === label)
      );
    });
    return own.length === (names ?? this.suite).length ? names : own;
  }

  get all(): readonly JsonObject[] {
    return [...this.providers.map(({ target }) => target), ...this.more.values()];
  }

  /** The targets of a test, if they are not the suite's. */
  ofTest(test: AuthoredTest, lose: Lose): readonly string[] | undefined {
    const chosen = this.chosenProviders(test, lose);
    const transform = optionOf(test.layers, 'transform') ?? optionOf(test.layers, 'postprocess');
    const output = testField(test, 'providerOutput');
    if (output !== undefined && output.value !== '') {
      if (transform !== undefined)
        lose(transform, 'a recorded output is not transformed: write it as it should be');
      return [this.canned(output.value)];
    }
    const suite = this.providers.filter(({ name }) => this.suite.includes(name));
    if (transform !== undefined) return this.transformed(transform, chosen ?? suite, lose);
    const names = chosen?.map(({ name }) => name);
    return names === undefined || printJson(names) === printJson(this.suite) ? undefined : names;
  }

  private chosenProviders(test: AuthoredTest, lose: Lose): readonly ConvertedProvider[] | undefined {
    const field = testField(test, 'providers') ?? testField(test, 'provider');
    const wanted = textsOf(field);
    if (field === undefined || wanted === undefined) return undefined;
    const found = this.providers.filter(({ names }) => names.some((name) => wanted.includes(name)));
    if (found.length > 0) return found;
    lose(field, 'there is no such target');
    return undefined;
  }

  /** `providerOutput`: promptfoo does not ask the provider. */
  private canned(output: Json): string {
    const response = typeof output === 'string' ? output : printJson(output);
    return this.add(`canned ${response}`, 'recorded output', { provider: 'mock', response });
  }

  private transformed(
    field: ForeignValue,
    chosen: readonly ConvertedProvider[],
    lose: Lose,
  ): readonly string[] | undefined {
    const code = textOf(field);
    if (
      code === undefined ||
      chosen.length === 0 ||
      chosen.some(({ withTransform }) => withTransform === undefined)
    ) {
      lose(
        field,
        'the output of this provider cannot be transformed for one test: change what the agent returns',
      );
      return undefined;
    }
    const named = namedTransform(code, this.code);
    if ('why' in named) {
      lose(field, named.why);
      return undefined;
    }
    return chosen.map(({ name, withTransform }) => {
      const target = withTransform!(named.name);
      return this.add(printJson([name, target]), `${name} with ${named.name}`, target);
    });
  }

  private add(key: string, name: string, target: JsonObject): string {
    let known = this.more.get(key);
    if (known === undefined) {
      const taken = new Set([...this.names, ...[...this.more.values()].map((each) => each['name'])]);
      let unique = name;
      for (let count = 2; taken.has(unique); count++) unique = `${name} ${count}`;
      this.more.set(key, (known = { name: unique, ...target }));
    }
    return String(known['name']);
  }
}

/** The provider that judges, as written: a name, or an object with one for texts. */
export function authoredJudge(field: ForeignValue): ForeignValue {
  if (!isJsonObject(field.value)) return field;
  const text = field.value['text'];
  return text === undefined ? field : { value: text, path: [...field.path, 'text'] };
}
