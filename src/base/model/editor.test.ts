import { expect, test } from 'vitest';
import { editorLink, editorTemplate, isTemplate } from './editor.ts';

const PLACE = { path: '/home/me/my tests/a#1?.yaml', line: 12, column: 3 };

test.each([
  ['vscode', 'vscode://file/home/me/my%20tests/a%231%3F.yaml:12:3'],
  ['cursor', 'cursor://file/home/me/my%20tests/a%231%3F.yaml:12:3'],
  ['zed', 'zed://file/home/me/my%20tests/a%231%3F.yaml:12:3'],
  ['idea', 'idea://open?file=/home/me/my%20tests/a%231%3F.yaml&line=12&column=3'],
  ['emacs://open?url={path}&line={line}', 'emacs://open?url=/home/me/my%20tests/a%231%3F.yaml&line=12'],
])('the link for %s opens the place', (editor, link) => {
  expect(editorLink(editorTemplate(editor)!, PLACE)).toBe(link);
});

test('a Windows path keeps its slashes', () => {
  const place = { path: String.raw`C:\tests\a.yaml`, line: 1, column: 1 };
  expect(editorLink(editorTemplate('vscode')!, place)).toBe('vscode://file/C:/tests/a.yaml:1:1');
});

test.each([
  'off',
  'javascript://{path}%0aalert(1)',
  'data://{path}',
  'JavaScript://{path}',
  '{path}',
  'vscode://file',
  '__proto__',
  '',
])('%s gives no link', (editor) => {
  expect(editorTemplate(editor)).toBeUndefined();
  expect(isTemplate(editor)).toBe(false);
});

test('text in a path that looks like a placeholder stays', () => {
  expect(editorLink('x://{path}:{line}', { path: '/a{line}{path}', line: 7, column: 1 })).toBe(
    'x:///a%7Bline%7D%7Bpath%7D:7',
  );
});
