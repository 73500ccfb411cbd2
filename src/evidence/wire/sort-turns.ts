import { actsByTools, findOpener, type Conversation } from './find-opener.ts';
import type { Turn } from './turn.ts';

/**
 * `main`: the conversation that answers the step. `sub`: another one that acts by tools, mostly that of a sub-agent. `side`: a
 * title, a guard.
 */
export type TurnKind = 'main' | 'side' | 'sub';

export interface SortedTurn {
  readonly kind: TurnKind;
  /** Who speaks, where there are several agents. */
  readonly agent?: string | undefined;
}

/** What is known about a step besides its exchanges. */
export interface StepFacts {
  readonly input?: string | undefined;
  /** What the agent reports as its answer. */
  readonly output?: string | undefined;
  /** Tools that a program forces only to get an answer in a form, as the config lists them. */
  readonly answerTools?: ReadonlySet<string> | undefined;
  /** When it began. Undefined: the times of its calls say nothing, because they were replayed. */
  readonly startMs?: number | undefined;
}

/** For an unnamed side conversation: its calls count, but are not the main agent's. */
const UNKNOWN_AGENT = 'unknown';

/** Sorts the turns of one step. `sorted` knows those of the steps before, and gets those of this one. */
export function sortTurns(turns: readonly Turn[], facts: StepFacts, sorted: Map<Turn, SortedTurn>): void {
  for (const turn of turns) sorted.delete(turn);
  const conversations = divide(turns);
  const calls = turns.flatMap((turn) => turn.calls);
  const candidates: Conversation[] = [];
  for (const conversation of conversations) {
    const { first } = conversation;
    const before = first.parent === undefined ? undefined : sorted.get(first.parent);
    const opener =
      first.parent === undefined ? findOpener(conversation, calls, facts.answerTools) : undefined;
    if (before?.kind === 'sub') set(conversation.turns, { kind: 'sub', agent: before.agent }, sorted);
    else if (opener === undefined) candidates.push(conversation);
    else set(conversation.turns, { kind: 'sub', agent: opener.tool ?? UNKNOWN_AGENT }, sorted);
  }
  const main = new Set(chooseMain(candidates, facts).filter((turn) => !sorted.has(turn)));
  // An agent that the conversation came back to was there before it was named.
  const names = new Map(
    [...main].flatMap(({ setup, agent }) => (agent === undefined ? [] : [[setup, agent]])),
  );
  for (const { turns: all } of candidates) {
    for (const turn of all)
      if (main.has(turn)) sorted.set(turn, { kind: 'main', agent: turn.agent ?? names.get(turn.setup) });
    const rest = all.filter((turn) => !main.has(turn));
    const isActing = rest.some((turn) => actsByTools(turn, facts.answerTools));
    set(rest, isActing ? { kind: 'sub', agent: UNKNOWN_AGENT } : { kind: 'side' }, sorted);
  }
}

function set(turns: readonly Turn[], as: SortedTurn, sorted: Map<Turn, SortedTurn>): void {
  for (const turn of turns) sorted.set(turn, as);
}

/** The conversations of a step, each with its turns in order. */
function divide(turns: readonly Turn[]): readonly Conversation[] {
  const conversations = new Map<Turn, Turn[]>();
  const firsts = new Map<Turn, Turn>();
  for (const turn of turns) {
    const { parent } = turn;
    const first = (parent === undefined || isAside(turn, parent) ? undefined : firsts.get(parent)) ?? turn;
    firsts.set(turn, first);
    const known = conversations.get(first);
    if (known === undefined) conversations.set(first, [turn]);
    else known.push(turn);
  }
  return [...conversations].map(([first, all]) => ({ first, turns: all }));
}

/**
 * A question about the conversation, asked with its history: the model had given its answer, and a program asks something else
 * in the role of the user, with other tools or another prompt.
 */
function isAside(turn: Turn, parent: Turn): boolean {
  return (
    turn.addsUser && parent.calls.length === 0 && (turn.setup !== parent.setup || changesForm(turn, parent))
  );
}

function changesForm(turn: Turn, parent: Turn): boolean {
  return turn.request.isStructured && !parent.request.isStructured;
}

/** The turns, from the first to the last, of the conversation that answers the step. */
function chooseMain(candidates: readonly Conversation[], facts: StepFacts): readonly Turn[] {
  let best: { readonly path: readonly Turn[]; readonly rank: readonly number[] } | undefined;
  for (const conversation of candidates) {
    for (const path of pathsOf(conversation, facts)) {
      const rank = rankOf(path, conversation.first, facts);
      if (best === undefined || isHigher(rank, best.rank)) best = { path, rank };
    }
  }
  return best?.path ?? [];
}

/** One path to each turn that may be the answer: what nothing follows, and what the agent reports. */
function pathsOf({ turns }: Conversation, { output }: StepFacts): readonly (readonly Turn[])[] {
  const followed = new Set(turns.map(({ parent }) => parent));
  return turns
    .filter((turn) => !followed.has(turn) || likeness(turn, output) > 0)
    .map((end) => {
      const path: Turn[] = [];
      for (let turn: Turn | undefined = end; turn?.step === end.step; turn = turn.parent) path.push(turn);
      return path.reverse();
    });
}

/** What tells the main conversation from asides, the strongest sign first. */
function rankOf(path: readonly Turn[], start: Turn, { input, output }: StepFacts): readonly number[] {
  const first = path[0]!;
  const last = path.at(-1)!;
  return [
    likeness(last, output),
    Number(start.parent?.step !== start.step),
    Number(first.parent !== undefined),
    Number(path.some(({ calls }) => calls.some(({ answered_ms: answered }) => answered !== undefined))),
    Number(path.some((turn) => !turn.request.isToolForced)),
    input === undefined ? 0 : Number(first.userText.trim() === input.trim()),
    Number(path.some(({ request, calls }) => request.tools.length > 0 && calls.length > 0)),
    Number(path.some(({ request }) => request.tools.length > 0)),
    Number(!path.every(({ request }) => request.isStructured)),
    Number(last.request.isStreamed),
    Number(!SMALL.test(first.request.model ?? '')),
    Number(first.parent !== undefined || !ASIDE.test(first.addedText)),
    last.ended_ms,
  ];
}

/** Whether the agent reports this answer, as it is or with something around it. */
function likeness({ answer }: Turn, output: string | undefined): number {
  const reported = (output ?? '').trim();
  const text = (answer.text ?? answer.refusal ?? '').trim();
  if (reported === '' || text === '') return 0;
  if (text === reported) return 2;
  return text.length >= 8 && reported.includes(text) ? 1 : 0;
}

/** Titles and guards are left to small models. */
const SMALL = /(?:^|[-_.])(?:nano|mini|lite|haiku|small|tiny)(?:$|[-_.:])/i;

/** What prompts of titles and guards ask for. The last resort, where nothing else tells. */
const ASIDE = /\b(?:titles?|summar\w+|classif\w+|moderat\w+|guardrails?|safe|unsafe)\b/i;

function isHigher(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at >= 0 && one[at]! > other[at]!;
}
