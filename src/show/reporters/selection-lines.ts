import type { RunSelection } from '../../base/model/selection.ts';
import { selectionNotes, type SelectionNote } from '../../base/model/selection-notes.ts';
import { escapeLine } from './terminal-text.ts';

/** What a run left out of its files, as text that is safe to show: filters contain what a person typed. */
export function safeNotes(selection: RunSelection | undefined): readonly SelectionNote[] {
  return selectionNotes(selection).map(({ reason, text }) => ({ reason, text: escapeLine(text) }));
}

export function selectionLines(selection: RunSelection | undefined): readonly string[] {
  return safeNotes(selection).map(({ text }) => text);
}
