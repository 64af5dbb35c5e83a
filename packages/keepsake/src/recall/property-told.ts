import { withPart } from '../retrieval/score.ts'
import { tellsProperty } from '@keepsake/text'
import type { Asking } from './asked-question.ts'
import type { FoundMemory } from './found-memory.ts'

/** So many of the best are looked at. */
export const LOOKED_AT_FOR_PROPERTY = 40
/** What a memory gains that tells the property asked for: as much as one that holds a number where one is asked for. */
const TOLD = 0.45

/** Memories in which the property that a question asks for stands come before others that match as well. */
export async function withPropertyTold(
  { turns }: Asking,
  property: RegExp,
  found: readonly FoundMemory[],
): Promise<readonly FoundMemory[]> {
  const looked = found.slice(0, LOOKED_AT_FOR_PROPERTY)
  const texts = await turns.withTexts(looked.map(({ memory }) => memory))
  const ranked = looked.map((one, place) =>
    tellsProperty(property, texts[place]?.text ?? '') ? withPart(one, 'property', TOLD) : one,
  )
  ranked.sort((one, other) => other.score - one.score)
  return [...ranked, ...found.slice(LOOKED_AT_FOR_PROPERTY)]
}
