import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { printJson } from '../../model/print-json.ts';
import { textOf, type ForeignValue } from '../foreign-value.ts';
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

  /** The target of the suite. */
  get first(): string | undefined {
    return this.providers[0]?.name;
  }

  get names(): readonly string[] {
    return this.providers.map(({ name }) => name);
  }

  /** Whether some of them are code that reads variables. */
  get hasCode(): boolean {
    return this.providers.some(({ isCode }) => isCode);
  }

  /** Why answers of the suite's target are not those that promptfoo would see. */
  get blocked(): string | undefined {
    return this.providers[0]?.blocked;
  }

  /** The prompts of the only provider, if it names some. */
  get prompts(): readonly string[] | undefined {
    return this.providers.length === 1 ? this.providers[0]!.prompts : undefined;
  }

  get all(): readonly JsonObject[] {
    return [...this.providers.map(({ target }) => target), ...this.more.values()];
  }

  /** The target of a test, if it is not the suite's. */
  ofTest(test: AuthoredTest, lose: Lose): string | undefined {
    const chosen = this.chosenProvider(test, lose);
    const transform = optionOf(test.layers, 'transform') ?? optionOf(test.layers, 'postprocess');
    const output = testField(test, 'providerOutput');
    if (output !== undefined && output.value !== '') {
      if (transform !== undefined)
        lose(transform, 'a recorded output is not transformed: write it as it should be');
      return this.canned(output.value);
    }
    if (transform !== undefined) return this.transformed(transform, chosen, lose);
    return chosen === undefined || chosen.name === this.first ? undefined : chosen.name;
  }

  private chosenProvider(test: AuthoredTest, lose: Lose): ConvertedProvider | undefined {
    const field = testField(test, 'providers') ?? testField(test, 'provider');
    const wanted = textsOf(field);
    const found =
      wanted === undefined
        ? []
        : this.providers.filter(({ names }) => names.some((name) => wanted.includes(name)));
    if (field !== undefined && found.length !== 1 && found.length < this.providers.length)
      lose(
        field,
        found.length === 0 ? 'there is no such target' : 'a test runs with one target: use `--target`',
      );
    return found.length === 1 ? found[0] : this.providers.length === 1 ? this.providers[0] : undefined;
  }

  /** `providerOutput`: promptfoo does not ask the provider. */
  private canned(output: Json): string {
    const response = typeof output === 'string' ? output : printJson(output);
    return this.add(`canned ${response}`, 'recorded output', { provider: 'mock', response });
  }

  private transformed(
    field: ForeignValue,
    chosen: ConvertedProvider | undefined,
    lose: Lose,
  ): string | undefined {
    const code = textOf(field);
    if (code === undefined || chosen?.withTransform === undefined) {
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
    const target = chosen.withTransform(named.name);
    return this.add(printJson([chosen.name, target]), `${chosen.name} with ${named.name}`, target);
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
