import type { Message } from '../../base/model/message.ts';
import type { PathSegment, Place } from '../../base/model/place.ts';
import type { MessageList, MessagePlaces, Step } from '../../base/model/test.ts';

/** Messages from elsewhere that come before the input of a step. */
export interface MessagesBefore {
  readonly messages: readonly Message[];
  /** Where each of them stands. */
  readonly places: readonly (Place & { readonly path: string })[];
}

/** The step with more messages in front of its input. */
export function withMessagesBefore(step: Step, before: MessagesBefore | undefined): Step {
  if (before === undefined || before.messages.length === 0) return step;
  return {
    ...step,
    input_messages: [...before.messages, ...step.input_messages],
    places: new PlacesAfter(before, step.places),
  };
}

export function joinMessages(all: readonly (MessagesBefore | undefined)[]): MessagesBefore | undefined {
  const known = all.filter((each) => each !== undefined);
  if (known.length === 0) return undefined;
  return {
    messages: known.flatMap(({ messages }) => messages),
    places: known.flatMap(({ places }) => places),
  };
}

/** The messages of a step, to put them in front of another one. */
export function messagesOf({ input_messages, places }: Step): MessagesBefore {
  return {
    messages: input_messages,
    places: input_messages.map((_, index) => places.inside('input_messages', index, [])),
  };
}

class PlacesAfter implements MessagePlaces {
  private readonly before: MessagesBefore;
  private readonly own: MessagePlaces;

  constructor(before: MessagesBefore, own: MessagePlaces) {
    this.before = before;
    this.own = own;
  }

  get input_messages(): readonly Place[] {
    return [...this.before.places, ...this.own.input_messages];
  }

  get expected_messages(): readonly Place[] {
    return this.own.expected_messages;
  }

  inside(list: MessageList, index: number, path: readonly PathSegment[]): Place & { readonly path: string } {
    const { length } = this.before.places;
    if (list !== 'input_messages') return this.own.inside(list, index, path);
    return index < length ? this.before.places[index]! : this.own.inside(list, index - length, path);
  }
}
