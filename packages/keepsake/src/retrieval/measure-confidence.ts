// Computes how likely memory has an answer to a question, from what the search found.
//
// 1. `readConfidenceTraits` reads traits of the first statements that the search found (`Evidence.likely`). The main one is `held`: how
//    much of the question one sentence says. Words count by their rarity in this memory.
// 2. `measureConfidence` weighs the traits in a logistic model. A veto then keeps the confidence below `KNOWN_FROM`.
// 3. `readAnswerable` makes it yes, maybe or no.
import {
  findTerms,
  fitsQuestion,
  holdsAnswer,
  isOfOtherLanguage,
  namesOwnThing,
  readAskedPerson,
  readAskedRelation,
  readAskedThing,
  readWantedAnswer,
  readWantedName,
  readWantedProperty,
  simplifyChinese,
  statementsAbout,
  statesName,
  tellsProperty,
  withoutProperty,
  withoutWishes,
  withPronouns,
  type AskedPerson,
} from '@keepsake/text'
import type { Evidence, LikelyAnswer } from '@keepsake/search'
import type { Answerable } from './recall-types.ts'
import type { StatedSentence } from '../user-state/analysed-text.ts'

/** From this confidence on, recall calls what was asked known. A wrong “I don't know” costs more than a line too many. */
export const KNOWN_FROM = 0.45
/** From this share of a question in one result on, or from this cosine, something near it was found. */
const NEAR_FROM = { share: 0.2, cosine: 0.25 } as const

/**
 * Logistic weights, rounded, as `tools/data/src/fit-confidence.ts` finds them. They are few, so that they hold on talk that no one has
 * fitted them to. `untold` is heavier: a relative who is never mentioned is known by chance alone.
 */
export const CONFIDENCE_WEIGHTS = {
  held: 2,
  particular: -1.7,
  telling: 1,
  aheadOfPeople: 2.9,
  aheadOfAgent: 3.2,
  untold: -2.5,
} as const
const WEIGHED_TRAITS = Object.keys(CONFIDENCE_WEIGHTS) as (keyof typeof CONFIDENCE_WEIGHTS)[]
const BIAS = -0.4
/** Share of a question: a sentence that holds no more shares a word with it by chance. */
const LEAST_HELD = 0.125
/** Limit of `aheadOfAgent`: a lead of this size counts as much as a longer one. */
const MOST_AHEAD = 0.4

/** What `held` is at least where a sentence shows the property asked for in other words: “plumber” for “job”. */
const SHOWN_SHARE = 0.9
/** Least `held` of a known answer in languages that have no rules: there, only the words of a question can be compared. */
const WHOLE_SHARE = 0.9
/** From this share of a question on, a sentence about someone else speaks of the same matter: in questions for yes or no, and in others. */
const LEAST_OF_OTHERS = { whether: 0.45, openly: 0.6 } as const

/** Matches questions for yes or no. */
const ASKS_WHETHER = /^(?:am|is|are|was|were|do|does|did|has|have|had|can)\b|[吗么][？?]*$|有没有|是不是/iu

/** What a confidence is measured by. */
export interface ConfidenceTraits extends Pick<Evidence, 'documents' | 'aheadOfPeople' | 'aheadOfAgent'> {
  /** Largest share of the question that one sentence holds, in a text that states what is asked for. */
  readonly held: number
  /** 1 where a particular thing is asked for: a name, a number, a place, a colour. */
  readonly particular: number
  /** Share of the likely answers that state such a thing; 0 where none is asked for. */
  readonly telling: number
  /** 1 where no text mentions the relative or the thing that it asks about, or no sentence holds enough of it. */
  readonly untold: number
  /** Whether anything near it was found, said by anyone. */
  readonly isNear: boolean
  /** Whether it is no answer: only others' matters and wishes support it, or part of a question that rules cannot read. */
  readonly isVetoed: boolean
}

/** The words of what was found, and which words a memory holds at all. */
export interface ReadTexts {
  readonly textOf: (id: string) => string
  /** What a document states; nothing where it is no word of the user. */
  readonly statementsOf: (id: string) => readonly StatedSentence[]
  readonly holds: (word: string) => boolean
  /** Other words by which texts name a person: “Lin” for “sister”. */
  readonly otherNames: (words: readonly string[]) => readonly string[]
  /** The texts before a turn in its session, the nearest last. */
  readonly textsBefore: (id: string) => readonly string[]
  /** Names of the user. */
  readonly self: readonly string[]
}

/** A question, and the speakers whose words it asks for, where several users speak. */
export interface AskedQuestion {
  readonly asked: string
  readonly named: readonly string[]
}

/** What a document states, and which of it may be about the person asked about. */
interface StatedAnswer {
  readonly answer: LikelyAnswer
  readonly sentences: readonly StatedSentence[]
  readonly about: readonly StatedSentence[]
}

/**
 * Reads what shows whether documents answer a question: its words stand together in one statement of the speaker asked about, beside
 * the kind of thing that is asked for.
 */
export function readConfidenceTraits(
  { asked, named }: AskedQuestion,
  evidence: Evidence,
  texts: ReadTexts,
): ConfidenceTraits {
  const { documents, terms, unheardTerms, aheadOfPeople, aheadOfAgent, likely } = evidence
  const question = simplifyChinese(asked)
  const person = readAskedPerson(withPronouns(question, { self: named, agent: [] }))
  const wanted = readWanted(question, person)
  const { isParticular } = wanted
  const answers = readStatedAnswers(likely, person, named, texts)
  const { held, telling } = measureHeld(wanted, terms, answers, texts)
  const isUntold =
    (held <= LEAST_HELD && terms.length > 0) || lacksWhatIsAsked(question, unheardTerms, texts.holds)
  const isHeldInPart = held < WHOLE_SHARE || unheardTerms.size > 0
  return {
    documents,
    held,
    particular: isParticular ? 1 : 0,
    telling: isParticular ? telling / Math.max(1, likely.length) : 0,
    aheadOfPeople,
    aheadOfAgent: Math.max(-MOST_AHEAD, Math.min(MOST_AHEAD, aheadOfAgent)),
    untold: isUntold ? 1 : 0,
    isNear:
      isNearQuestion(question, evidence, answers, texts) ||
      (isParticular ? telling > 0 : evidence.nearestMeaning >= NEAR_FROM.cosine),
    isVetoed:
      isOfOthers(question, wanted, evidence, answers) || (isHeldInPart && isOfOtherLanguage(question)),
  }
}

/** Reads what the first documents state, and which of it may be about the person asked about. */
function readStatedAnswers(
  likely: readonly LikelyAnswer[],
  person: AskedPerson | null,
  named: readonly string[],
  { statementsOf, textsBefore, otherNames, self }: ReadTexts,
): StatedAnswer[] {
  const names = person?.isSelf === true ? [...self, ...named] : otherNames(person?.words ?? [])
  return likely.map((answer) => {
    const sentences = statementsOf(answer.id)
    const before = (): string[] => textsBefore(answer.id).map((text) => simplifyChinese(text))
    const about =
      person === null ? sentences : statementsAbout(person, sentences, { otherNames: names, before })
    return { answer, sentences, about }
  })
}

/** Computes the largest share of a question that one sentence holds, and counts the documents that state the kind of thing asked for. */
function measureHeld(
  { isParticular, person, isShownBy, states }: Wanted,
  terms: Evidence['terms'],
  answers: readonly StatedAnswer[],
  { textOf }: ReadTexts,
): { readonly held: number; readonly telling: number } {
  let [held, telling] = [0, 0]
  for (const [index, { answer, sentences, about }] of answers.entries()) {
    const before = textBefore(answer, textOf)
    const isShown = about.some(isShownBy)
    // A text that holds no more of the question than a sentence before it changes nothing.
    const isAhead = terms.length === 0 || isShown || shareOf(terms, inExchange(answer)) > held
    if (!isAhead && !isParticular) continue
    const stated = person?.isSelf === true ? about : sentences
    const text = stated.map((sentence) => sentence.text).join(' ')
    if (text === '' || !states(text, { isFirst: index === 0, before })) continue
    telling += 1
    if (!isAhead) continue
    const isReply = answer.asked !== null && fitsQuestion(before, text)
    const source = isReply ? answer : { ...answer, asked: null }
    if (isShown) held = Math.max(held, SHOWN_SHARE)
    for (const sentence of stated)
      held = Math.max(held, heldShare(terms, source, sentence) ?? (isParticular ? 1 : 0))
  }
  return { held, telling }
}

/** Returns the question that a document answers; empty where it answers none. */
function textBefore({ before }: LikelyAnswer, textOf: ReadTexts['textOf']): string {
  return before === null ? '' : simplifyChinese(textOf(before))
}

/** Whether any document is near the question: by its words, by the question that it answers, or by a thing that the user owns. */
function isNearQuestion(
  question: string,
  { nearest, terms }: Evidence,
  answers: readonly StatedAnswer[],
  { textOf }: ReadTexts,
): boolean {
  if (nearest >= NEAR_FROM.share) return true
  const answersSame = ({ answer }: StatedAnswer): boolean =>
    answer.asked !== null &&
    shareOf(terms, answer.asked) >= NEAR_FROM.share &&
    fitsQuestion(textBefore(answer, textOf), textOf(answer.id))
  const namesThing = ({ sentences }: StatedAnswer): boolean =>
    sentences.some(({ text }) => namesOwnThing(text))
  return answers.some(answersSame) || (readAskedThing(question) !== null && answers.some(namesThing))
}

/**
 * Whether the matter of a question (its words without the person) is stated only in wishes or of someone else. A question for yes or no
 * about something that nothing mentions counts too.
 */
function isOfOthers(
  question: string,
  { person, shows }: Wanted,
  { terms, unheardTerms }: Evidence,
  answers: readonly StatedAnswer[],
): boolean {
  const matterTerms = new Set(findTerms(question.replace(person?.phrase ?? '', ' ')))
  const matter = terms.filter(({ term }) => matterTerms.has(term))
  const share = (sentence: StatedSentence): number => {
    const saidTerms = termsOf(sentence)
    const said = matter.map(({ term }) => Number(saidTerms.includes(term)))
    return shows(sentence.text) ? 1 : shareOf(matter, said)
  }
  let [ofAnyone, ofPerson] = [0, 0]
  for (const { sentences, about } of answers) {
    ofAnyone = Math.max(ofAnyone, ...sentences.map(share))
    ofPerson = Math.max(ofPerson, ...about.map((sentence) => share(withoutWishes(question, sentence))))
  }
  const isUnheard = matter.length > 0 && matter.every(({ term }) => unheardTerms.has(term))
  const asksWhether = ASKS_WHETHER.test(question)
  if (ofAnyone === 0) return person !== null && isUnheard && asksWhether
  return ofAnyone >= LEAST_OF_OTHERS[asksWhether ? 'whether' : 'openly'] && ofPerson < ofAnyone / 2
}

function termsOf(sentence: StatedSentence): readonly string[] {
  return (sentence.terms ??= findTerms(sentence.text))
}

/** By term of the evidence: 1 where a document or the question before it holds the term, less where either says it in other words. */
function inExchange({ held, asked }: LikelyAnswer): readonly number[] {
  return asked === null ? held : held.map((inDocument, index) => Math.max(inDocument, asked[index] ?? 0))
}

/** Computes the share of the question's rarity that some text holds. */
function shareOf(terms: Evidence['terms'], held: readonly number[]): number {
  let [all, heldRarity] = [0, 0]
  for (const [index, { rarity }] of terms.entries()) {
    all += rarity
    heldRarity += rarity * (held[index] ?? 0)
  }
  return all === 0 ? 0 : heldRarity / all
}

/** Share of the question's rarity that a sentence of a document holds, with the question that it answers; `null` where it has no words. */
function heldShare(
  terms: Evidence['terms'],
  { held, asked }: LikelyAnswer,
  sentence: StatedSentence,
): number | null {
  const saidTerms = termsOf(sentence)
  const here = terms.map(({ term }, index) => {
    const inDocument = held[index] ?? 0
    return Math.max(inDocument < 1 || saidTerms.includes(term) ? inDocument : 0, asked?.[index] ?? 0)
  })
  return terms.length === 0 ? null : shareOf(terms, here)
}

/** Matches the owner of what is asked for: “Iris's favourite food”. */
const OWNER = /(?<=\s)(\p{Lu}[\p{L}-]+)['’]s\b/u

/** Whether no text mentions the owner, the relative or the thing that a question asks about. */
function lacksWhatIsAsked(
  question: string,
  unheardTerms: ReadonlySet<string>,
  holds: (word: string) => boolean,
): boolean {
  const relation = readAskedRelation(question)
  if (relation !== null && !relation.some(holds)) return true
  const [, owner] = OWNER.exec(question) ?? []
  if (owner !== undefined && findTerms(owner).every((term) => unheardTerms.has(term))) return true
  const thing = readAskedThing(question)
  return thing !== null && thing.every((term) => unheardTerms.has(term))
}

/** What a question asks for. */
interface Wanted {
  /** Whom it is about. */
  readonly person: AskedPerson | null
  /** Whether it asks for a kind of answer, a property or a name, which a text shows. */
  readonly isParticular: boolean
  /** Whether a text shows the property that it asks for, in words of its own: “plumber” for “job”. */
  readonly shows: (text: string) => boolean
  /** Whether a sentence shows it where nothing else is asked, such as when. */
  readonly isShownBy: (sentence: StatedSentence) => boolean
  readonly states: (text: string, at: Parameters<typeof statesName>[2]) => boolean
}

function readWanted(question: string, person: AskedPerson | null): Wanted {
  const answer = readWantedAnswer(question)
  const property = readWantedProperty(question)
  const name = property === null ? readWantedName(question) : null
  // English puts a name beside what it names, which says more than that there is one.
  const kinds =
    name === null || name.isChinese ? answer.kinds : answer.kinds.filter((kind) => kind !== 'name')
  const shows = (text: string): boolean => property !== null && tellsProperty(property, text)
  const asksOnlyProperty = findTerms(withoutProperty(question, person?.phrase ?? '')).length === 0
  return {
    person,
    shows,
    isShownBy: ({ text }) => asksOnlyProperty && shows(text),
    isParticular: answer.kinds.length > 0 || property !== null || name !== null,
    states: (text, at) =>
      holdsAnswer({ ...answer, kinds }, text) &&
      (property === null || tellsProperty(property, text)) &&
      (name === null || statesName(name, text, at)),
  }
}

/** The probability, from 0 to 1, that what was asked was ever said. 0 where there is nothing to look at. */
export function measureConfidence(traits: ConfidenceTraits): number {
  if (traits.documents === 0) return 0
  let odds = BIAS
  for (const name of WEIGHED_TRAITS) odds += CONFIDENCE_WEIGHTS[name] * traits[name]
  const confidence = 1 / (1 + Math.exp(-odds))
  return traits.isVetoed ? confidence * KNOWN_FROM : confidence
}

/** Weight of a model that reads question and text together, beside the confidence without it. */
const RELEVANCE_WEIGHT = 3

/** Joins a confidence with a reranking model's probability that the best result bears on the question. */
export function confidenceWith(confidence: number, relevance: number): number {
  return (confidence + RELEVANCE_WEIGHT * Math.min(1, Math.max(0, relevance))) / (1 + RELEVANCE_WEIGHT)
}

/** How far memory answers a question. */
export function readAnswerable(confidence: number, isNear: boolean): Answerable {
  if (confidence >= KNOWN_FROM) return 'yes'
  return isNear ? 'maybe' : 'no'
}
