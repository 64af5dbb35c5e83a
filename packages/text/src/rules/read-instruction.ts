// Recognises standing instructions: wishes about the style of all future replies, such as “always answer in German”.
import { readCorrection } from '../corrections/read-correction.ts'
import { readIntent, type Intent } from '../intents/read-intent.ts'
import { findTerms } from '../terms/analyse-text.ts'
import { type MatterValue, BY_OWN_NAME, readInstructionMatter } from './instruction-matters.ts'
import {
  ACTS_FORBIDDEN,
  ASKS,
  COMMON_TERMS,
  COMMON_WORDS_ZH,
  ENDS_BANS,
  ENDS_BANS_OTHER,
  ENDS_WISHES,
  ENDS_WISHES_OTHER,
  FORBIDS,
  FORBIDS_OTHER,
  FRAME,
  FRAME_NOT,
  LEAD,
  MOTTO,
  ONLY_ONCE,
  OTHER_NAME,
  PAST_ENDING,
  REPORTED,
  REQUESTS_IN_QUESTION,
  STANDARD_FORMS,
  STANDS_CHINESE,
  STANDS_ENGLISH,
  STANDS_OTHER,
  TAG,
  TAIL,
  VERB_OF_SAYING,
} from './instruction-patterns.ts'

/** A wish about the style of future replies, or the end of such a wish. */
export interface StandingInstruction {
  readonly isStanding: boolean
  /** Whether the wish forbids something: “never mention my ex”. */
  readonly isBan: boolean
  /**
   * The kind of earlier wish that ends: bans by “you can use emojis again”, wishes by “no need to answer in German”, and either where the
   * classifier hears a withdrawal.
   */
  readonly ends: 'bans' | 'wishes' | 'either' | null
  /** The matter, such as the length, if only the newest instruction about it counts. */
  readonly about: MatterValue | null
  /** The content words of its topic. */
  readonly terms: readonly string[]
}

/** Maximum characters of an instruction. */
const MAX_LENGTH = 160

/** Rewrites a wish as an imperative: “I'd rather you didn't mention it” is “don't mention it”. */
function imperativeOf(plain: string): string {
  const bare = plain.replace(FRAME_NOT, "don't ")
  const rest = bare.replace(FRAME, '')
  if (rest === bare) return rest
  return rest.replace(
    /^((?:always |never )?)(\p{L}+)/u,
    (_, adverb: string, verb: string) =>
      adverb + (STANDARD_FORMS.get(verb.toLowerCase()) ?? verb.replace(PAST_ENDING, '')),
  )
}

/** Reads a user's sentence as a wish about the style of future replies. Returns `null` for other sentences. */
export function readInstruction(sentence: string): StandingInstruction | null {
  if (sentence.length > MAX_LENGTH || REPORTED.test(sentence) || MOTTO.test(sentence)) return null
  const typed = sentence.replace(
    /\b(?:dont|pl[sz]|u)\b/giu,
    (casual) => STANDARD_FORMS.get(casual.toLowerCase()) ?? casual,
  )
  const spoken = typed.replace(TAG, '').replace(TAIL, '').replace(TAIL, '')
  if (ASKS.test(spoken) && !REQUESTS_IN_QUESTION.test(spoken)) return null
  // A wish may follow its reason or the thing that it replaces: “My name is Elizabeth but call me Lizzie”.
  const [, reason = '', last] =
    /^(.*?)(?:\s+but\s+|,\s*(?:so|and|but)\s+|,\s*(?=(?:just |please )?call me\b)|[，；])(.+)$/su.exec(
      spoken,
    ) ?? []
  const wishOfSentence = readWish(spoken, typed)
  const wishOfEnd = last === undefined || VERB_OF_SAYING.test(reason) ? null : readWish(last, typed)
  const isWishAtEnd = wishOfEnd?.isStanding === true && !wishOfEnd.isBan
  return wishOfSentence === null || isWishAtEnd ? (wishOfEnd ?? wishOfSentence) : wishOfSentence
}

/** Reads one clause of a sentence as an instruction. */
function readWish(clause: string, sentence: string): StandingInstruction | null {
  const plain = clause.replace(LEAD, '')
  const wish = imperativeOf(plain)
  const isOther = matchesAny(STANDS_OTHER, clause)
  const intent = readIntent(sentence)
  const isStanding =
    !ONLY_ONCE.test(sentence) &&
    // “I'd rather you didn't …” is a wish about all replies.
    ((FRAME_NOT.test(plain) && ACTS_FORBIDDEN.test(wish)) ||
      matchesAny(STANDS_ENGLISH, wish) ||
      isOther ||
      (/\p{Script=Han}/u.test(clause) && matchesAny(STANDS_CHINESE, clause)) ||
      // “Euros, I meant, not dollars” corrects a fact.
      (intent === 'instruct' && readCorrection([sentence]) === null))
  const about = readInstructionMatter(sentence)
  const ends = readWithdrawn({ clause, plain, sentence }, about, isStanding ? null : intent)
  if (ends === null && !isStanding) return null
  const isBan =
    about?.matter !== 'formality' &&
    (FORBIDS.test(wish.replace(OTHER_NAME, ' ')) ||
      ((isOther || ends !== null) && FORBIDS_OTHER.test(clause)))
  const terms = findTerms(sentence.replace(COMMON_WORDS_ZH, ' ')).filter(
    (term) =>
      !COMMON_TERMS.has(term) && !/^(?:\p{Script=Han}|\p{Script=Hangul}{1,2}|대답\p{L}*)$/u.test(term),
  )
  // Excludes sentences without a topic, such as “Never give up!”.
  if (ends === null && about === null && terms.length === 0 && !isOther && !wish.includes('/')) return null
  // A ban on long replies is a wish for short replies, and a ban on short ones a wish for long ones.
  if (isStanding && isBan && about?.matter === 'length') {
    const value = about.value === 'long' ? 'short' : 'long'
    return { isStanding, isBan: false, ends, about: { ...about, value }, terms }
  }
  return { isStanding, isBan, ends, about, terms }
}

/** Reads what a clause withdraws: earlier bans, earlier wishes, either, or nothing. */
function readWithdrawn(
  { clause, plain, sentence }: { readonly clause: string; readonly plain: string; readonly sentence: string },
  about: StandingInstruction['about'],
  intent: Intent | null,
): StandingInstruction['ends'] {
  if (intent === 'withdraw') return 'either'
  const endsBans =
    matchesAny(ENDS_BANS, plain) || ENDS_BANS_OTHER.test(clause) || ENDS_BANS_OTHER.test(sentence)
  if (endsBans) return 'bans'
  const endsWishes =
    matchesAny(ENDS_WISHES, plain) || ENDS_WISHES_OTHER.test(clause) || about?.value === BY_OWN_NAME
  return endsWishes ? 'wishes' : null
}

function matchesAny(patterns: readonly RegExp[], text: string): boolean {
  return patterns.some((pattern) => pattern.test(text))
}

/** Minimum shares of the newer instruction's terms that an older one must have, so that the newer one withdraws or contradicts it. */
const MIN_SHARED_TO_WITHDRAW = 0.5
const MIN_SHARED_TO_CONTRADICT = 0.75

/** Reports whether an instruction or its withdrawal ends an earlier instruction. */
export function endsInstruction(newer: StandingInstruction, older: StandingInstruction): boolean {
  const share = shareIn(newer.terms, older.terms)
  const matter = newer.about?.matter
  if (matter !== undefined && matter === older.about?.matter) {
    // Names may be forbidden or replaced: “don't call me Liz”, “call me Lizzie”.
    if (matter === 'name') {
      if (newer.about?.value === BY_OWN_NAME) return !older.isBan
      const endsForms = newer.ends === 'wishes' || newer.ends === 'either'
      if (!newer.isStanding && !endsForms) return false
      if (endsForms || newer.isBan) return !older.isBan && share >= MIN_SHARED_TO_WITHDRAW
      return !older.isBan
    }
    if (newer.ends === 'either') return true
    const hasSameValue = newer.about?.value === older.about?.value
    if (newer.ends === 'wishes') return hasSameValue && !older.isBan
    return older.isBan ? hasSameValue : !newer.isBan && !hasSameValue
  }
  if (newer.ends === null) return newer.isBan !== older.isBan && share >= MIN_SHARED_TO_CONTRADICT
  // A withdrawal that only the classifier hears may give its reason too: “Meat's back on the menu, so you needn't stick to vegan recipes”.
  if (newer.ends === 'either')
    return Math.max(share, shareIn(older.terms, newer.terms)) >= MIN_SHARED_TO_WITHDRAW
  return older.isBan === (newer.ends === 'bans') && share >= MIN_SHARED_TO_WITHDRAW
}

/** Returns the share of terms that others contain. */
function shareIn(terms: readonly string[], others: readonly string[]): number {
  const shared = terms.filter((term) => others.some((other) => other === term || isPartOf(other, term)))
  return terms.length === 0 ? 0 : shared.length / terms.length
}

/** Reports whether one Chinese term contains another: 表情符号 contains 表情. */
function isPartOf(first: string, second: string): boolean {
  return /^\p{Script=Han}{2,}$/u.test(second) && (first.includes(second) || second.includes(first))
}
