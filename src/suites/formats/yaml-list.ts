import { EVENT_ID, type Event } from 'js-yaml';
import type { Finding } from '../../base/model/finding.ts';
import type { PathSegment } from '../../base/model/place.ts';
import type { Source } from '../../base/schema/reader.ts';
import { refuseNonFinite } from './document.ts';
import { toFinding } from './finding-at.ts';
import { LIMITS } from './limits.ts';
import { createLineIndex, type LineIndex } from './line-index.ts';
import type { ItemReading } from './list-items.ts';
import { findOffset, type Located } from './located.ts';
import { dialectOf } from './parse-suite.ts';
import type { ListPiece } from './yaml/cut-list.ts';
import { outlineYaml } from './yaml/outline.ts';
import { asPyYamlReads } from './yaml/pyyaml-refuses.ts';
import { resolveYaml } from './yaml/resolve.ts';
import { composeYaml, parseYamlEvents } from './yaml/syntax.ts';
import type { YamlProblem } from './yaml/yaml-problem.ts';

/** Reads a list of step tests in YAML piece by piece, with the same result as `parseDocument`. */
export function readYamlList(file: string, text: string, pieces: readonly ListPiece[]): ItemReading {
  const findings: Finding[] = [];
  const firstItems: number[] = [];
  let open: OpenPiece | undefined;
  const openPiece = (number: number): OpenPiece | undefined => {
    const { start, line } = pieces[number]!;
    return readPiece(text.slice(start, pieces[number + 1]?.start), line);
  };
  return {
    findings,
    source: {
      file,
      isLazy: false,
      locate([index, ...path], part) {
        const number = firstItems.findLastIndex((first) => first <= (index as number));
        // Nearly always it is the current piece.
        const piece = number === firstItems.length - 1 ? open! : openPiece(number)!;
        return piece.lines.at(
          findOffset(piece.root, [(index as number) - firstItems[number]!, ...path], part),
        );
      },
    } satisfies Source,
    *items() {
      let count = 0;
      let nodes = 1;
      let hasStepTest = false;
      for (let number = 0; number < pieces.length; number++) {
        open = openPiece(number);
        nodes += open?.nodes ?? 0;
        if (open === undefined || nodes > LIMITS.nodes) return yield undefined;
        firstItems.push(count);
        for (const problem of open.problems)
          findings.push(toFinding({ ...problem, path: shifted(problem.path, count) }, file, open.lines));
        hasStepTest ||= open.hasStepTest;
        for (const { value } of open.root.items!) yield value;
        count += open.root.items!.length;
      }
      // Only step tests depend on PyYAML.
      if (!hasStepTest) yield undefined;
    },
  };
}

interface OpenPiece {
  readonly root: Located;
  readonly lines: LineIndex;
  readonly problems: readonly YamlProblem[];
  readonly hasStepTest: boolean;
  /** In its items. */
  readonly nodes: number;
}

/**
 * Undefined if it means something else among the others, or is not valid: reading the whole text reports that
 * better.
 */
function readPiece(text: string, line: number): OpenPiece | undefined {
  const parsed = parseYamlEvents(text);
  if ('error' in parsed || needsOthers(parsed.events, text)) return undefined;
  const syntax = asPyYamlReads(text, composeYaml(parsed.events, text));
  if ('problem' in syntax || syntax.root?.kind !== 'sequence') return undefined;
  const { root, problems } = resolveYaml(syntax.root, 'pyyaml');
  return {
    root,
    lines: createLineIndex(text, line),
    problems: problems.map(refuseNonFinite),
    hasStepTest: dialectOf(outlineYaml(syntax.root)) === 'pyyaml',
    nodes: syntax.root.size - 1,
  };
}

function needsOthers(events: readonly Event[], text: string): boolean {
  let end = 0;
  for (const event of events) {
    if (event.type === EVENT_ID.ALIAS || ('anchorStart' in event && event.anchorStart !== -1)) return true;
    if (event.type !== EVENT_ID.SCALAR) continue;
    // The place of an empty value at the very end depends on what follows.
    if (event.valueStart === -1 && end === text.length) return true;
    end = Math.max(end, event.valueEnd);
  }
  return false;
}

function shifted([index, ...path]: readonly PathSegment[], by: number): readonly PathSegment[] {
  return typeof index === 'number' ? [index + by, ...path] : [];
}
