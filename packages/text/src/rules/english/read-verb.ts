// Brings a clause into the form of the patterns: subject, `can` and `not`, tense, main verb, rest. ../matching/rule.ts explains patterns.
import type { Clause } from '../matching/language.ts'
import type { Word } from '../matching/word.ts'
import { english } from './english.ts'

type Verb = Pick<Clause, 'words' | 'state'>

/**
 * Returns a clause in the form of the patterns, and whether it is a past or an ended state. The form has the subject, `can` and `not` if
 * present, the tense, the main verb, and the rest.
 *
 * @returns `null` if no verb is found
 */
export function readVerb(said: readonly Word[]): Verb | null {
  const [subject] = said
  if (subject === undefined) return null
  if (subject.lower === 'my' || subject.lower === 'our') return readOfMine(said)
  const helpers = new Set<string>()
  let isDenied = false
  // Moves to the main verb, past adverbs, negations and auxiliaries.
  let at = 1
  for (; at < said.length; at++) {
    const helper = said[at]
    if (helper === undefined || hedges(said, at)) return null
    if (denies(said, at)) isDenied = true
    else if (isNoLonger(said, at)) at++
    else if (isAuxiliary(said, at)) helpers.add(helper.lower)
    else if (helper.pos !== 'ADV') break
  }
  const isFormerHabit = isUsedTo(said, at)
  if (isFormerHabit) at += 2
  const main = said[at]
  if (main === undefined || !(isFormerHabit || isVerbal(said, at))) return null
  const afterVerb = main.lemma === 'be' || main.lemma === 'feel' ? skip(isDegree, said, at + 1) : at + 1
  if (main.lemma === 'be')
    isDenied ||= [at + 1, at + 2].some((i) => denies(said, i) && said[i]?.lower !== 'never')
  const isEnded = said.some(
    (_, index) => (index < afterVerb && isNoLonger(said, index)) || (index > at && isAnyMore(said, index)),
  )
  const marks = tenseOf(main, helpers)
  if (isDenied && !isEnded) marks.unshift('not')
  if (helpers.has('can')) marks.unshift('can')
  const pastOrPresent = isFormerHabit ? 'over' : 'holds'
  return {
    words: [subject, ...marks.map(markWord), main, ...said.slice(afterVerb)],
    state: isEnded ? 'ended' : pastOrPresent,
  }
}

/** Makes a word of the pattern's form, such as `not` or `did`. */
function markWord(text: string): Word {
  return { text, lower: text, lemma: text, pos: 'PART', before: ' ' }
}

/** Reads a clause such as “my … is …”, whose verb is the first that is no part of the subject. */
function readOfMine(said: readonly Word[]): Verb | null {
  const at = said.findIndex(
    (word, i) =>
      i > 0 &&
      (isVerb(said, i) || isMistakenOfMine(said, i)) &&
      !(word.lower.endsWith('ing') && said[i + 1]?.pos === 'NOUN'),
  )
  const main = said[at]
  if (main === undefined || at < 2 || said.some((_, index) => index > at && denies(said, index))) return null
  const subject = said.slice(0, at).filter((word) => word.pos !== 'ADV')
  const afterVerb = isCertainly(said, at + 1) ? at + 2 : at + 1
  const tense = tenseOf(main, new Set()).map(markWord)
  const verb = isVerb(said, at) ? main : { ...main, pos: 'VERB' }
  return { words: [...subject, ...tense, verb, ...said.slice(afterVerb)], state: 'holds' }
}
const isMistakenOfMine = english.test('lives|works|loves|likes|plays|studies|hates')

/** Reports whether a word can be a verb, regardless of its tag. */
export function isVerbal(words: readonly Word[], index: number): boolean {
  return isVerb(words, index) || isMistaken(words, index)
}
const isVerb = english.test('VERB|AUX')

/** Returns the first index from `from` on at which a test fails. */
function skip(test: typeof denies, words: readonly Word[], from: number): number {
  return test(words, from) ? skip(test, words, from + 1) : from
}

/** Reports whether a word is an auxiliary of the next verb: “will”, “can”, “have lived”, “do not”, “am living”. */
function isAuxiliary(words: readonly Word[], position: number): boolean {
  const helper = words[position]
  if (helper?.lower === 'will' || helper?.lower === 'can') return true
  if (helper?.lemma === 'do') return denies(words, position + 1)
  const verb = words.findIndex(
    (word, index) => index > position && word.pos !== 'ADV' && !denies(words, index),
  )
  if (helper?.lemma === 'have') return isDone(words, verb)
  return helper?.lemma === 'be' && verb > 0 && isParticiple(words, verb)
}
const isParticiple = english.test('&INFLECTED -ing|&VERB -ed')

/** Returns the words for the tense: `did` for the past, `have` for the perfect, `be` for the progressive and the passive. */
function tenseOf(verb: Word, helpers: ReadonlySet<string>): string[] {
  if (helpers.has('will')) return ['will']
  if (['am', 'are', 'is', 'been'].some((word) => helpers.has(word))) return ['be']
  if (helpers.has('was') || helpers.has('were')) return ['did', 'be']
  if (helpers.has('have')) return ['have']
  const isPast =
    helpers.has('did') ||
    verb.lower === 'was' ||
    (verb.lower !== verb.lemma && !/(?:s|ing)$|^(?:am|are)$/.test(verb.lower)) ||
    (verb.lower.endsWith('ed') && verb.lower.length > 4)
  return isPast ? ['did'] : []
}

const denies = english.test('not|never|hardly|barely|rarely')
const hedges = english.test('must|shall|may|might|could|would|should|need|dare')
const isUsedTo = english.test('used to')
const isNoLonger = english.test('no longer')
const isAnyMore = english.test('anymore|any more .')
const isCertainly = english.test(
  'definitely|probably|always|still|also|just|actually|currently|now|really|simply',
)
const isDegree = english.test('ADV|not|so|no|longer|pretty|super|kinda')
const isDone = english.test('been|had|&VERB (!-ing INFLECTED|-ed|-en|come|become|run)')
/** Matches verbs after “I” that the tagger sometimes takes for nouns or prepositions. */
const isMistaken = english.test(
  `work|love|like|hate|live|study|play|speak|own|want|plan|hope|feel|prefer|dislike|enjoy|use|practice|practise|dance
  |cook`,
)
