import type { Frame } from './frame.ts'
import { flipPerson } from './third-person.ts'
import { wordsToText } from './word.ts'

/** The rest of a clause as a value: in the third person, without "too" and the like at its end. */
export function restOf(frame: Frame, from: number): string {
  return wordsToText(flipPerson(frame.words.slice(from)))
    .replace(/\s+(?:too|as well|either|anymore|any more|now)$/i, '')
    .replace(/^(?:a|an|the|to) /, '')
}

/** A noun or name of its own, nothing pointed at. */
export function hasContent(frame: Frame, from: number): boolean {
  const rest = frame.words.slice(from)
  if (
    rest.some((word) =>
      /^(?:it|this|that|these|those|them|him|her|there|here|one|something|anything|everything|stuff|things?|way|he|she|they|his|their|its|same|such|what)$/.test(
        word.lower,
      ),
    )
  )
    return false
  return rest.some(
    (word) =>
      word.pos === 'PROPN' || (word.pos === 'NOUN' && word.lower.length > 2 && !EMPTY_NOUN.test(word.lower)),
  )
}

export const EMPTY_NOUN =
  /^(?:time|times|day|days|lot|lots|bit|while|thing|things|way|point|fun|sense|sure|today|tomorrow|yesterday|moment|kind|sort|week|month|year|night|morning|evening|weekend|part|end|start|others|people|someone|idea|ideas|thanks|feeling|mind|minute|second|word|words)$/
