import { useState } from 'preact/hooks';
import { isJsonList, isJsonObject, type Json } from '../../../src/base/model/json.ts';
import type { JudgePrompt, SentRequest } from '../../../src/base/model/sent-request.ts';
import { Pieces } from '../../parts/pieces.tsx';
import { LoadNotice } from '../../parts/trouble.tsx';
import { JsonView } from '../../text/json/json-view.tsx';
import { Text } from '../../text/text.tsx';
import { Content } from '../content.tsx';
import { ValueView } from '../value-view.tsx';
import { useSentParts, type SentPart } from './sent-texts.ts';
import './sent.css';

/** What a model call sent. */
export function SentRequestView({ sent }: { readonly sent: SentRequest | undefined }) {
  if (sent === undefined)
    return (
      <p class="dim">
        Not recorded: Assay could not read the request, or the run is of a version that did not keep it.
      </p>
    );
  return <SentParts parts={sent} names={REQUEST_PARTS} />;
}

/** What a judge was asked, loaded when somebody wants to see it. */
export function JudgePrompts({ prompts }: { readonly prompts: readonly JudgePrompt[] | undefined }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="inner" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>What the judge was asked</summary>
      {isOpen && prompts === undefined && (
        <p class="dim">Not recorded: the run is of a version that did not keep it.</p>
      )}
      {isOpen &&
        prompts?.map((prompt, index) => <SentParts key={index} parts={prompt} names={PROMPT_PARTS} />)}
    </details>
  );
}

/** Each part with its label, and the words for a part that was not sent. */
type PartNames = readonly (readonly [name: string, label: string, ifAbsent: string | undefined])[];

const REQUEST_PARTS: PartNames = [
  ['system', 'System prompt', 'None was sent.'],
  ['messages', 'New messages', 'Not recorded.'],
  ['tools', 'Tools', 'None were sent.'],
  ['parameters', 'Parameters', 'None were sent.'],
  ['usage', 'Usage', 'The response has none.'],
];
const PROMPT_PARTS: PartNames = [
  ['system', 'System prompt', 'None was sent.'],
  ['prompt', 'Prompt', 'Not recorded.'],
  ['schema', 'Form of the answer', undefined],
];

function SentParts({
  parts,
  names,
}: {
  readonly parts: SentRequest | JudgePrompt;
  readonly names: PartNames;
}) {
  const loaded = useSentParts(parts);
  if (loaded.value === undefined) return <LoadNotice {...loaded} />;
  const sent = loaded.value;
  return (
    <dl class="sent">
      {names.map(([name, label, ifAbsent]) => {
        const part = sent[name];
        if (part === undefined && ifAbsent === undefined) return null;
        return (
          <div key={name} class="sent-part">
            <dt class="label">{label}</dt>
            <dd>{part === undefined ? <p class="dim">{ifAbsent}</p> : <Part part={part} label={label} />}</dd>
          </div>
        );
      })}
    </dl>
  );
}

function Part({ part, label }: { readonly part: SentPart; readonly label: string }) {
  if ('problem' in part) return <p class="mark-error">{part.problem}</p>;
  const { value } = part;
  const isSaid = label === 'System prompt' || label === 'New messages';
  if (!isSaid || typeof value === 'string') return <ValueView value={value} label={label} />;
  const messages = isJsonList(value) ? value : [value];
  if (messages.length === 0) return <p class="dim">None: it repeats what earlier calls sent.</p>;
  return (
    <ol class="sent-messages">
      <Pieces items={messages} first={20} what="messages" isList>
        {(message, index) => (
          <li key={index}>
            <Message message={message} />
          </li>
        )}
      </Pieces>
    </ol>
  );
}

/** Providers write messages in many ways: the role, the content where it is found, and the rest as it was sent. */
function Message({ message }: { readonly message: Json }) {
  if (!isJsonObject(message) || typeof message['role'] !== 'string')
    return (
      <Content content={isJsonObject(message) && typeof message['type'] === 'string' ? [message] : message} />
    );
  const { role, content, ...rest } = message;
  return (
    <>
      <span class="label">
        <Text value={role} />
      </span>
      {content !== undefined && content !== null && <Content content={content} />}
      {Object.keys(rest).length > 0 && <JsonView value={rest} label="Message" />}
    </>
  );
}
