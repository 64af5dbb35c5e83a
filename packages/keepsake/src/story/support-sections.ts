import { eachOnce, type Evidence } from '../memories/evidence.ts'
import { isLine } from '../prompts/check-answer.ts'
import { composeSections, longestAllowed, type ToldSection } from '../prompts/summary-sections.ts'
import type { Summary } from './summariser.ts'
import type { SummarySource } from '../prompts/summary-source.ts'

/** Returns a source's evidence: itself, or the turns of an earlier summary. */
function evidenceOf(source: SummarySource): readonly Evidence[] {
  return source.evidence ?? [{ turn: source.turn, quote: null }]
}

/** Leaves out numbers that no source has, and sentences that then rest on nothing. */
function supportedSections(sections: readonly ToldSection[], sources: number): ToldSection[] {
  return sections.map(({ label, sentences }) => ({
    label,
    sentences: sentences
      .map(({ text, turns }) => ({ text: text.trim(), turns: turns.filter((turn) => isLine(turn, sources)) }))
      .filter(({ text, turns }) => text !== '' && turns.length > 0),
  }))
}

/** Leaves out sentences from the end until the rest fits; the last one left is cut. */
function fitSections(sections: readonly ToldSection[], mostCharacters: number): ToldSection[] {
  const kept = [...sections]
  while (composeSections(kept).length > longestAllowed(mostCharacters)) {
    const index = kept.findLastIndex((section) => section.sentences.length > 0)
    const last = kept[index]
    if (last === undefined || kept.flatMap((section) => section.sentences).length === 1) break
    kept[index] = { ...last, sentences: last.sentences.slice(0, -1) }
  }
  return kept
}

/**
 * Makes a summary of sections, with the turns that its sentences rest on, in the order of the sources. Drops
 * sentences without an existing source, which the model did not repair.
 *
 * @returns `null` when nothing supported is left
 */
export function supportedSummary(
  sections: readonly ToldSection[],
  sources: readonly SummarySource[],
  mostCharacters: number,
): Summary | null {
  const kept = fitSections(supportedSections(sections, sources.length), mostCharacters)
  const numbers = new Set(kept.flatMap(({ sentences }) => sentences.flatMap((sentence) => sentence.turns)))
  if (numbers.size === 0) return null
  const evidence = sources.flatMap((source, index) => (numbers.has(index + 1) ? evidenceOf(source) : []))
  return {
    text: composeSections(kept).slice(0, longestAllowed(mostCharacters)),
    evidence: eachOnce(evidence),
  }
}
