import { useState } from 'preact/hooks';
import { EDITORS, isTemplate } from '../../src/model/editor.ts';
import { chooseEditor, chosenEditor } from '../parts/editor-setting.ts';

const OWN = 'template';
const BY_CONFIG = '';

/** What files are opened with: as the config says, or as the reader chooses here. */
export function EditorChoice() {
  const [editor, setEditor] = useState(chosenEditor);
  const isOwn = editor !== undefined && editor !== 'off' && !Object.hasOwn(EDITORS, editor);
  const choose = (next: string | undefined): void => {
    chooseEditor(next);
    setEditor(next);
  };
  return (
    <div class="editor-choice">
      <label>
        Open files with{' '}
        <select
          value={isOwn ? OWN : (editor ?? BY_CONFIG)}
          onChange={({ currentTarget: { value } }) =>
            choose(value === BY_CONFIG ? undefined : value === OWN ? EDITORS['vscode'] + ' ' : value)
          }
        >
          <option value={BY_CONFIG}>the editor of the config</option>
          <option value="vscode">VS Code</option>
          <option value="cursor">Cursor</option>
          <option value="zed">Zed</option>
          <option value="idea">IntelliJ IDEA</option>
          <option value={OWN}>an address of your own</option>
          <option value="off">nothing</option>
        </select>
      </label>
      {isOwn && (
        <label>
          Address, with {'{path}'}, {'{line}'} and {'{column}'}
          <input
            type="text"
            value={editor.trim()}
            aria-invalid={!isTemplate(editor)}
            onChange={({ currentTarget: { value } }) => choose(value)}
          />
        </label>
      )}
    </div>
  );
}
