// Recognises names in English, and in other languages with spaces. A name may also be a common word: “May”, “Will”.
import { escapePattern } from '@keepsake/text'
import { RELATION_WORDS } from '../entities/read-relations.ts'

/**
 * Returns a test for texts that contain a name, in three steps. Uses as a common word are removed (“in May”). Then the name
 * must stand as written or in capitals. A text without capitals is matched ignoring case.
 */
export function testSpacedName(name: string): (text: string) => boolean {
  const escaped = escapePattern(name)
  const asWholeWord = (word: string): string =>
    String.raw`(?<![\p{Script=Latin}\p{N}])(?:${word})(?![\p{Script=Latin}\p{N}])`
  const asWritten = new RegExp(asWholeWord(`${escaped}|${escaped.toUpperCase()}`), 'u')
  const isCommonWord = COMMON_WORD_NAME.test(name)
  const inSmallLetters = isCommonWord ? matchUsesAsName(escaped) : new RegExp(asWholeWord(escaped), 'iu')
  const usesAsWord = isCommonWord ? matchUsesAsWord(escaped) : null
  return (fullText) => {
    const text = usesAsWord === null ? fullText : fullText.replace(usesAsWord, ' … ')
    return asWritten.test(text) || (!/\p{Lu}/u.test(text) && inSmallLetters.test(text))
  }
}

/** Returns a pattern of the uses of a name as a common word. */
function matchUsesAsWord(name: string): RegExp {
  const asVerb = String.raw`\b${name}\s+(?:I|we|you|he|she|they|it|this|that|there)\b` // “Will you come?”
  if (!new RegExp(`^(?:${MONTHS})$`, 'iu').test(name)) return new RegExp(asVerb, 'giu')
  const asMonth = [
    String.raw`\b(?:${BEFORE_MONTH})[\s-]+${name}\b(?!['’]s\s+\p{Ll}+)`, // “in May”, but not “by May's house”
    String.raw`\b${name}\b[,\s]+\d+`, // “May 3”
    String.raw`\b(?:${MONTHS})\s*(?:to|and|or|until|till|[-–])\s*${name}\b`, // “April to May”
    String.raw`\b${name}\b\s*(?:to|or|until|till|[-–])\s*(?:${MONTHS})`, // “May or June”
  ]
  return new RegExp([...asMonth, asVerb].join('|'), 'giu')
}

/** Returns a pattern of the uses of a common word as a name, for texts without capitals: only beside words about people. */
function matchUsesAsName(name: string): RegExp {
  const afterWord = String.raw`\b(?:${RELATION_WORDS.en}|${BEFORE_NAME}) ${name}\b` // “met rose”
  const beforeWord = String.raw`\b${name}(?: and (?:i|me)|['’]s)\b` // “rose and i”
  return new RegExp(`${afterWord}|${beforeWord}`, 'iu')
}

export const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December'
const NAMES_OF_THINGS = [
  'Grace|Rose|Will|Mark|Hope|Joy|Faith|Art|Bill|Dawn|Summer|Autumn|Amber|Ruby|Pearl|Daisy|Lily|Ivy|Iris|Violet',
  'Heather|Holly|Jasmine|Olive|Hazel|Ginger|Sandy|Rob|Pat|Sue|Nick|Chuck|Drew|Frank|Grant|Miles|Chase|Rich|Ray',
  'Skip|Gene|Guy|Penny|Melody|Star|Sky|Sunny|Angel|Charity|Patience|Robin|Hunter|Dale|Reed|Clay|Wade|Lance|Buck',
].join('|')
/** Matches names that are also common words: “May”, “Rose”. */
const COMMON_WORD_NAME = new RegExp(`^(?:${MONTHS}|${NAMES_OF_THINGS})$`, 'iu')
/** Words before a month, as “in” in “in May”. “From” is missing, because “from May” may mean a person. */
const BEFORE_MONTH = [
  'in|by|until|till|since|during|next|last|this|early|late|mid|mid of|end of|middle of|start of|beginning of|every|each',
  String.raw`\d+(?:st|nd|rd|th)?(?: of)?`,
].join('|')
/** Words before a person's name, as “met” in “met rose”. Words for relations are further ones. */
const BEFORE_NAME = 'ex|with|and|called|named|met|miss|love|hate|dating|dated|kissed|told'

/** Capitalised words that are no names. */
const NO_NAMES = 'I|The|My|Our|That|This|Those|These|What|How|When|Where|Why|A|An'
/** Matches each capitalised word of a topic, except those above. It is a name, because a topic is not a sentence: “Tom” in “owe Tom”. */
export const CAPITALISED_NAME = new RegExp(
  String.raw`(?<![\p{L}\p{N}'’])(?!(?:${NO_NAMES})\b)\p{Lu}[\p{L}'-]*`,
  'gu',
)

/** Words that do not occur in a relation, so that “my flight to Rome” is no name. */
const PREPOSITIONS = String.raw`at\b|in\b|on\b|of\b|for\b|with\b|to\b|from\b`
/** A relation before a name: “my older sister ”. */
const RELATION_EN = String.raw`(?:(?:my|our|the|that|this)\s+(?:(?!${PREPOSITIONS})\p{Ll}+\s+){1,3})?`
/** Matches a topic that is an English name, with or without a relation: “my sister Mia”, “Tom Miller”. The group is the name. */
export const NAME_EN = new RegExp(
  String.raw`^${RELATION_EN}((?!I\b|I')\p{Lu}[\p{L}'-]*(?:\s\p{Lu}[\p{L}'-]*)*)$`,
  'u',
)
