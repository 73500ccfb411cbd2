import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { editorLink, editorTemplate } from '../../src/base/model/editor.ts';
import type { EditorFiles } from '../../src/base/model/page-data.ts';
import type { Place } from '../../src/base/model/place.ts';
import { EDITOR_SETTING, readSetting } from '../parts/settings.ts';
import { Text } from '../text/text.tsx';

/** Where files are on the reader's machine. Undefined in reports, and on other machines. */
export const EditorContext = createContext<EditorFiles | undefined>(undefined);

/** `tests/a.yaml:12`, which opens in the editor where that is possible. */
export function PlaceLink({ place }: { readonly place: Place }) {
  const link = useEditorLink(place);
  const words = <Text value={`${place.file}:${place.line}`} />;
  if (link === undefined) return words;
  return (
    <a class="place-link" href={link} title="Open in the editor">
      {words}
    </a>
  );
}

function useEditorLink({ file, line, column }: Place): string | undefined {
  const files = useContext(EditorContext);
  if (files === undefined || !Object.hasOwn(files.paths, file)) return undefined;
  const template = editorTemplate(readSetting(EDITOR_SETTING) ?? files.editor);
  return template === undefined
    ? undefined
    : editorLink(template, { path: files.paths[file]!, line, column });
}
