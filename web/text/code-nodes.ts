import bash from 'highlight.js/lib/languages/bash';
import diff from 'highlight.js/lib/languages/diff';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';
import { element, type TextNode } from './nodes.tsx';

const lowlight = createLowlight({ bash, diff, json, python, sql, typescript, xml, yaml });
// Its grammar reads JavaScript too.
lowlight.registerAlias({ typescript: ['javascript', 'js', 'jsx', 'mjs', 'cjs'] });

/** Grammars are slow on long texts, and nobody reads colours there. */
const MAX_LENGTH = 20_000;

/** Code with its words in classes; as it is where the language is not known. */
export function codeNodes(code: string, language: string | undefined): readonly TextNode[] {
  if (language === undefined || code.length > MAX_LENGTH || !lowlight.registered(language)) return [code];
  try {
    return lowlight.highlight(language, code).children.flatMap(toNode);
  } catch {
    // A grammar that fails is no reason to show nothing.
    return [code];
  }
}

type HastNode = ReturnType<typeof lowlight.highlight>['children'][number];

function toNode(node: HastNode): readonly TextNode[] {
  if (node.type === 'text') return [node.value];
  if (node.type !== 'element') return [];
  const { className } = node.properties;
  const names = Array.isArray(className) ? className.filter((name) => typeof name === 'string') : [];
  return [element('span', node.children.flatMap(toNode), { class: names.join(' ') })];
}
