import { useState } from 'preact/hooks';
import { EDITORS, isTemplate } from '../../src/base/model/editor.ts';
import { Menu } from '../parts/menu.tsx';
import { EDITOR_SETTING, readSetting, writeSetting } from '../parts/settings.ts';

const OWN = 'template';
const BY_CONFIG = '';

const NAMES: Readonly<Record<string, string>> = {
  [BY_CONFIG]: 'the editor of the config',
  vscode: 'VS Code',
  cursor: 'Cursor',
  zed: 'Zed',
  idea: 'IntelliJ IDEA',
  [OWN]: 'an address of your own',
  off: 'nothing',
};

/** What files are opened with: as the config says, or as the reader chooses here. */
export function EditorChoice() {
  const [editor, setEditor] = useState(() => readSetting(EDITOR_SETTING));
  const isOwn = editor !== undefined && editor !== 'off' && !Object.hasOwn(EDITORS, editor);
  const now = isOwn ? OWN : (editor ?? BY_CONFIG);
  const choose = (next: string | undefined): void => {
    writeSetting(EDITOR_SETTING, next);
    setEditor(next);
  };
  return (
    <div class="stack editor-choice">
      <div class="editor-menu">
        Open files with
        <Menu
          label="Open files with"
          shown={NAMES[now] ?? now}
          options={Object.entries(NAMES).map(([value, name]) => ({ value, name }))}
          chosen={[now]}
          onChoose={(value) =>
            choose(value === BY_CONFIG ? undefined : value === OWN ? EDITORS['vscode'] + ' ' : value)
          }
        />
      </div>
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
