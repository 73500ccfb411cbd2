import type { AskedCall } from '../entry.ts';
import { readOutput } from '../foreign-fields.ts';
import type { ModelCall } from '../observe/before-call.ts';
import { apiOfPath, pathWithoutQuery } from '../wire/recognise-model-call.ts';
import { cutsCharacter } from '../../base/match/cuts-character.ts';
import { isSameTool } from '../../base/match/same-tool.ts';
import { faultyTool, type Fault } from '../../base/model/fault.ts';
import type { Json, JsonObject } from '../../base/model/json.ts';
import type { ChangedResult, FoundResult } from '../apis/model-api.ts';
import { valueText } from '../apis/result-content.ts';
import { matchResults } from './match-results.ts';

/** A request whose results are changed. */
export interface ChangedRequest {
  readonly request: JsonObject;
  readonly faults: readonly Fault[];
  /** What the model gets as results, by the number of the call, from 0 on. */
  readonly outputs: ReadonlyMap<number, Json>;
}

/** Changes the results that faults are about, in every request that holds them. `asked`: the calls that the model asked for so far. */
export function changeResults(
  call: ModelCall,
  faults: readonly Fault[],
  asked: readonly AskedCall[],
): ChangedRequest | undefined {
  const { method, path, request } = call;
  const api = apiOfPath(method, path);
  if (request === undefined || api === undefined || asked.length === 0) return undefined;
  const found: FoundResult[] = [];
  api.mapResults(request, (result) => void found.push(result));
  if (found.length === 0) return undefined;
  const entries = api.dialect.read(api.readRequest(request, pathWithoutQuery(path)).messages, '');
  const repeated = entries.flatMap((entry) => (entry.kind === 'assistant' ? entry.calls : []));
  const numbers = matchResults({ found, repeated }, asked);
  const made = new Set<Fault>();
  const outputs = new Map<number, Json>();
  let index = 0;
  const changed = api.mapResults(request, (result) => {
    const number = numbers[index++];
    const fault = number === undefined ? undefined : faultOf(number, asked, faults);
    const change = fault === undefined ? undefined : changeOf(fault, result);
    if (change === undefined) return undefined;
    made.add(fault!);
    outputs.set(number!, readOutput(valueText(change.value))!);
    return change;
  });
  return made.size === 0 ? undefined : { request: changed, faults: [...made], outputs };
}

/** The fault of a call: the call is the one of its tool that the fault counts to. */
function faultOf(number: number, asked: readonly AskedCall[], faults: readonly Fault[]): Fault | undefined {
  return faults.find((fault) => callsOf(fault, asked)[fault.call - 1] === number);
}

/** The numbers of the calls of a fault's tool. */
export function callsOf(fault: Fault, asked: readonly AskedCall[]): readonly number[] {
  const tool = faultyTool(fault)!;
  return asked.flatMap((call, number) => (isSameTool(call.tool, tool) ? [number] : []));
}

/** Undefined: there is nothing to cut. */
function changeOf({ do: action }: Fault, { text }: FoundResult): ChangedResult | undefined {
  if (typeof action === 'object') return { value: action.reply, keepsRest: false };
  return text === '' ? undefined : { value: firstHalf(text), keepsRest: true };
}

function firstHalf(text: string): string {
  const at = Math.floor(text.length / 2);
  return text.slice(0, cutsCharacter(text, at) ? at - 1 : at);
}
