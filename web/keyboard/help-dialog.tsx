import { useEffect, useRef, useState } from 'preact/hooks';
import { readSetting, writeSetting } from '../parts/settings.ts';
import { EditorChoice } from './editor-choice.tsx';
import { activeShortcuts, KEYS_SETTING } from './shortcuts.ts';
import './help-dialog.css';

/** Every key of the current page. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [areOn, setOn] = useState(readSetting(KEYS_SETTING) !== 'off');
  const [shortcuts] = useState(activeShortcuts);
  useEffect(() => dialog.current?.showModal(), []);
  // Its keys are those of the page behind it.
  useEffect(() => {
    addEventListener('hashchange', onClose);
    return () => removeEventListener('hashchange', onClose);
  }, []);
  return (
    <dialog ref={dialog} class="card help" aria-labelledby="help-title" onClose={onClose}>
      <div class="help-head">
        <h2 id="help-title">Keyboard shortcuts</h2>
        <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
      <dl class="keys">
        {shortcuts.map(({ keys, does }) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{NAMES[key] ?? key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={areOn}
          onChange={() => {
            writeSetting(KEYS_SETTING, areOn ? 'off' : undefined);
            setOn(!areOn);
          }}
        />
        Use these shortcuts. Everything also works with Tab, Enter, arrows and Escape.
      </label>
      <EditorChoice />
    </dialog>
  );
}

const NAMES: Readonly<Record<string, string>> = { Enter: '↵ Enter', Escape: 'Esc' };
