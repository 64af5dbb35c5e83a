import { splitSentences } from '@keepsake/text'
import { namesInside, PERSON_EN, PERSON_ZH } from './continue-topic.ts'
import { FAMILY_NAME } from './read-topic.ts'

const PRONOUN = /^(?:he|she|they|him|her|them|他们?|她们?|那个人|这个人)$/i
/** Matches a relation with an optional name: “my ex Marek”, “my boss”. */
const RELATION_EN = new RegExp(
  String.raw`\bmy\s+(?:\p{Ll}+[\s-]+){0,2}?(?:${PERSON_EN.source.replaceAll('\\b', '')}|ex)(?![\p{L}-])(?:,?\s+(?:called\s+|named\s+)?(?<name>(?!I\b)\p{Lu}[\p{L}'-]*))?`,
  'gu',
)
const RELATION_ZH = new RegExp(
  `我?(?:家|的)?(?:前任|前?(?:${PERSON_ZH.source}))+(?:叫|是)?(?<name>${FAMILY_NAME}\\p{Script=Han})?`,
  'gu',
)
const NAME_ZH = new RegExp(
  `(?:(?<=[跟和与同给被对找])(?<with>${FAMILY_NAME}\\p{Script=Han})|(?<=^|[，。！？、\\s])(?<name>${FAMILY_NAME}\\p{Script=Han}{1,2}?)(?=[跟和与说问让叫把给在去来又也还借欠打找的，。！？]|$))`,
  'gu',
)

/** Checks whether a request names its person only by a pronoun. */
export function isPronoun(about: string): boolean {
  return PRONOUN.test(about.trim())
}

/**
 * Resolves “him” or 他: the last person named or described before it.
 *
 * @param before texts before the pronoun, the latest first
 * @param speakers names of the speakers, who are excluded
 * @returns `null` when no person was mentioned
 */
export function whoIsMeant(before: readonly string[], speakers: readonly string[]): string | null {
  for (const text of before) {
    for (const { text: sentence } of splitSentences(text).toReversed()) {
      const person = lastPersonIn(sentence, speakers)
      if (person !== null) return person
    }
  }
  return null
}

function lastPersonIn(sentence: string, speakers: readonly string[]): string | null {
  const related = [...sentence.matchAll(RELATION_EN), ...sentence.matchAll(RELATION_ZH)].map((match) => ({
    at: match.index,
    person: match.groups?.['name'] ?? match[0].replace(/^my\s+/i, 'my '),
  }))
  const named = [
    ...namesInside(sentence, speakers).map((person) => ({ at: sentence.lastIndexOf(person), person })),
    ...[...sentence.matchAll(NAME_ZH)].map((match) => ({
      at: match.index,
      person: match.groups?.['name'] ?? match.groups?.['with'] ?? '',
    })),
  ].filter(({ person }) => person !== '')
  return [...related, ...named].sort((a, b) => b.at - a.at)[0]?.person ?? null
}
