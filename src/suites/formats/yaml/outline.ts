import { setOwn, type Json } from '../../../base/model/json.ts';
import type { YamlNode } from './syntax.ts';

/** The outermost keys of a document, before its scalars are interpreted: enough to detect the format. */
export function outlineYaml(root: YamlNode): Json {
  const node = follow(root);
  if (node.kind === 'sequence') return node.items.map((item) => outlineNode(item));
  return outlineNode(node);
}

function outlineNode(authored: YamlNode): Json {
  const node = follow(authored);
  if (node.kind === 'sequence') return [];
  if (node.kind !== 'mapping')
    return node.kind === 'scalar' && node.isPlain && node.text === '' ? null : 'text';
  const outline: Record<string, Json> = {};
  for (const { key, value } of node.entries) {
    const name = follow(key);
    if (name.kind !== 'scalar') continue;
    const isList = follow(value).kind === 'sequence';
    setOwn(outline, name.text, isList ? [] : 'text');
  }
  return outline;
}

function follow(node: YamlNode): YamlNode {
  return node.kind === 'alias' ? follow(node.target) : node;
}
