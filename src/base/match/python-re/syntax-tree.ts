export type Sequence = readonly Node[];

export type Node =
  | CharacterNode
  | { readonly type: 'anchor'; readonly kind: AnchorKind }
  | { readonly type: 'branch'; readonly alternatives: readonly Sequence[] }
  | RepeatNode
  | GroupNode
  | { readonly type: 'atomic'; readonly body: Sequence }
  | LookNode
  | { readonly type: 'backreference'; readonly group: number }
  | {
      readonly type: 'conditional';
      readonly group: number;
      readonly yes: Sequence;
      readonly no: Sequence | undefined;
    };

/** A node that consumes exactly one character. */
export type CharacterNode =
  | { readonly type: 'literal'; readonly codePoint: number; readonly negated: boolean }
  | { readonly type: 'any' }
  | { readonly type: 'set'; readonly negated: boolean; readonly items: readonly SetItem[] };

export type SetItem =
  | { readonly type: 'character'; readonly codePoint: number }
  | { readonly type: 'range'; readonly low: number; readonly high: number }
  | { readonly type: 'category'; readonly category: Category; readonly negated: boolean };

export type Category = 'digit' | 'space' | 'word';

export type AnchorKind =
  | 'line-start'
  | 'line-end'
  | 'string-start'
  | 'string-end'
  | 'word-boundary'
  | 'not-word-boundary';

export interface RepeatNode {
  readonly type: 'repeat';
  readonly mode: 'greedy' | 'lazy' | 'possessive';
  readonly min: number;
  /** `MAX_REPEAT` for no limit. */
  readonly max: number;
  readonly body: Sequence;
}

export interface GroupNode {
  readonly type: 'group';
  /** Undefined for a group that does not capture. */
  readonly index: number | undefined;
  readonly addedFlags: number;
  readonly removedFlags: number;
  readonly body: Sequence;
}

export interface LookNode {
  readonly type: 'look';
  readonly behind: boolean;
  readonly negated: boolean;
  readonly body: Sequence;
}

/** Python's MAXREPEAT: the count that means "no limit". */
export const MAX_REPEAT = 0xffff_ffff;

/** A group that neither captures nor changes flags is only brackets around its body. */
export function isPlainGroup(node: Node): node is GroupNode {
  return (
    node.type === 'group' && node.index === undefined && node.addedFlags === 0 && node.removedFlags === 0
  );
}
