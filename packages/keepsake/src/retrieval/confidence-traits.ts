// Reads the traits by which `measureConfidence` judges whether memory has an answer to a question.
//
// The search names the statements that most likely answer (`Evidence.likely`). Each sentence of them is compared with the question:
// whether it is about the person asked about, states the kind of thing asked for, and how many words of the question it holds.
import {
  asksWish,
  findTerms,
  fitsQuestion,
  holdsAnswer,
  isOfOtherLanguage,
  namesOwnThing,
  readAskedPerson,
  readAskedRelation,
  readAskedName,
  readAskedThing,
  readPropertyTerms,
  readWantedAnswer,
  readWantedName,
  readWantedProperty,
  simplifyChinese,
  selectStatementsAbout,
  statesName,
  tellsProperty,
  withoutProperty,
  withoutWishes,
  withPronouns,
  type AskedPerson,
} from '@keepsake/text'
import type { Evidence, LikelyAnswer } from '@keepsake/search'
import type { StatedSentence } from '../user-state/analysed-text.ts'

/** The question's terms with their rarity in this memory. A rare term counts for more in a coverage than a common one. */
type QuestionTerms = Evidence['terms']

/** A result is near the question from this coverage on, or from this cosine on. */
const NEAR_FROM = { coverage: 0.2, cosine: 0.25 } as const
/** A sentence that covers no more of the question shares a word with it by chance. */
const CHANCE_COVERAGE = 0.125
/** Maximum of `aheadOfAgent`: a longer lead says no more. */
const MAX_LEAD = 0.4
/** Coverage at least of a sentence that states the property asked for in other words: “plumber” for “job”. */
const PROPERTY_COVERAGE = 0.9
/** Coverage at least of an answer in a language without rules, where only the words of a question can be compared. */
const OTHER_LANGUAGE_COVERAGE = 0.9
/** From this coverage on, a sentence about another person is on the same matter: in questions for yes or no, and in others. */
const SAME_MATTER_FROM = { yesOrNo: 0.45, open: 0.6 } as const

/** Matches questions for yes or no. */
const ASKS_YES_OR_NO = /^(?:am|is|are|was|were|do|does|did|has|have|had|can)\b|[吗么][？?]*$|有没有|是不是/iu

/** Traits of a question and of what the search found for it. */
export interface ConfidenceTraits extends Pick<Evidence, 'documents' | 'aheadOfPeople' | 'aheadOfAgent'> {
  /** Largest share of the question's words, weighed by rarity, that one sentence of an answering text holds. */
  readonly coverage: number
  /** 1 where the question asks for a particular thing: a name, a number, a place, a colour. */
  readonly particular: number
  /** Share of the likely answers that state such a thing; 0 where the question asks for none. */
  readonly answering: number
  /** 1 where no text mentions the relative or the thing that the question is about, or no sentence covers enough of it. */
  readonly unmentioned: number
  /** Whether anything near the question was found, by any speaker. */
  readonly isNear: boolean
  /** Whether nothing found can be an answer: only statements about others, wishes, or part of a question in a language without rules. */
  readonly isVetoed: boolean
}

/** Returns texts of a memory and facts about its words. */
export interface TextLookup {
  readonly textOf: (id: string) => string
  /** Statements of a document; none where the user did not say it. */
  readonly statementsOf: (id: string) => readonly StatedSentence[]
  /** Whether any text of the memory holds a word. */
  readonly holds: (word: string) => boolean
  /** Other words by which texts name a person: “Lin” for “sister”. */
  readonly otherNames: (words: readonly string[]) => readonly string[]
  /** The texts before a turn in its session, the nearest last. */
  readonly textsBefore: (id: string) => readonly string[]
  /** Names of the user. */
  readonly self: readonly string[]
}

/** A question, and the speakers whom it names, where several users speak. */
export interface AskedQuestion {
  readonly asked: string
  readonly named: readonly string[]
}

/** A likely answer with its sentences. */
interface StatedAnswer {
  readonly answer: LikelyAnswer
  readonly sentences: readonly StatedSentence[]
  /** The sentences that may be about the person asked about. */
  readonly about: readonly StatedSentence[]
}

/** Reads how well the likely answers fit a question. */
export function readConfidenceTraits(
  { asked, named }: AskedQuestion,
  evidence: Evidence,
  texts: TextLookup,
): ConfidenceTraits {
  const { documents, terms, unheardTerms, aheadOfPeople, aheadOfAgent, likely } = evidence
  const question = simplifyChinese(asked)
  const person = readAskedPerson(withPronouns(question, { self: named, agent: [] }))
  const request = readAnswerRequest(question, person)
  const { isParticular } = request
  const answers = readStatedAnswers(likely, person, named, texts)
  const { coverage, answering } = measureCoverage(request, terms, answers, texts)
  const isCoveredByChance = coverage <= CHANCE_COVERAGE && terms.length > 0
  const isUnmentioned = isCoveredByChance || lacksSubject(question, unheardTerms, texts.holds)
  const isNearByAnswer = isParticular ? answering > 0 : evidence.nearestMeaning >= NEAR_FROM.cosine
  const isCoveredInPart = coverage < OTHER_LANGUAGE_COVERAGE || unheardTerms.size > 0
  return {
    documents,
    coverage,
    particular: isParticular ? 1 : 0,
    answering: isParticular ? answering / Math.max(1, likely.length) : 0,
    aheadOfPeople,
    aheadOfAgent: Math.max(-MAX_LEAD, Math.min(MAX_LEAD, aheadOfAgent)),
    unmentioned: isUnmentioned ? 1 : 0,
    isNear: isNearQuestion(question, evidence, answers, texts) || isNearByAnswer,
    isVetoed:
      isOnlyOfOthers(question, request, evidence, answers) ||
      (isCoveredInPart && isOfOtherLanguage(question)),
  }
}

/** The kind of answer that a question asks for. */
interface AnswerRequest {
  /** The person whom the question is about. */
  readonly person: AskedPerson | null
  /** Whether the question asks for a thing that a text can be seen to state: a kind of answer, a property or a name. */
  readonly isParticular: boolean
  /** Whether a text states the property asked for, in any words: “plumber” for “job”. */
  readonly hasProperty: (text: string) => boolean
  /** Terms of the question for that property. A sentence that states it need not repeat them: “600 quid” for “cost”. */
  readonly propertyTerms: ReadonlySet<string>
  /** Whether a sentence states that property, and the question asks nothing else, such as when. */
  readonly isAnsweredBy: (sentence: StatedSentence) => boolean
  /** Whether a text states the kind of thing asked for. Any text does where the question is not particular. */
  readonly isStatedIn: (text: string, place: Parameters<typeof statesName>[2]) => boolean
}

function readAnswerRequest(question: string, person: AskedPerson | null): AnswerRequest {
  const answer = readWantedAnswer(question)
  const property = readWantedProperty(question)
  const name = property === null ? readWantedName(question) : null
  // English puts a name next to the noun it belongs to. `statesName` checks that, which is stricter than any name in the text.
  const isNameChecked = name !== null && !name.isChinese
  // A Chinese workplace or school is no place in form: 我是附中的老师.
  const isPlaceChecked = property !== null && answer.isChinese
  const kinds = answer.kinds.filter(
    (kind) => !(isNameChecked && kind === 'name') && !(isPlaceChecked && kind === 'place'),
  )
  const hasProperty = (text: string): boolean => property !== null && tellsProperty(property, text)
  const asksOnlyProperty = findTerms(withoutProperty(question, person?.phrase ?? '')).length === 0
  return {
    person,
    isParticular: answer.kinds.length > 0 || property !== null || name !== null,
    hasProperty,
    propertyTerms: new Set(readPropertyTerms(question)),
    isAnsweredBy: ({ text }) => asksOnlyProperty && hasProperty(text),
    isStatedIn: (text, place) =>
      holdsAnswer({ ...answer, kinds }, text) &&
      (property === null || hasProperty(text)) &&
      (name === null || statesName(name, text, place)),
  }
}

/** Reads the sentences of the likely answers, and which of them may be about the person asked about. */
function readStatedAnswers(
  likely: readonly LikelyAnswer[],
  person: AskedPerson | null,
  named: readonly string[],
  { statementsOf, textsBefore, otherNames, self }: TextLookup,
): StatedAnswer[] {
  const names = person?.isSelf === true ? [...self, ...named] : otherNames(person?.words ?? [])
  const select = person === null ? null : selectStatementsAbout(person, names)
  return likely.map((answer) => {
    const sentences = statementsOf(answer.id)
    const before = (): string[] => textsBefore(answer.id).map((text) => simplifyChinese(text))
    return { answer, sentences, about: select === null ? sentences : select(sentences, before) }
  })
}

/** Measures how much of the question one sentence covers at most, and counts the documents that state the thing asked for. */
function measureCoverage(
  request: AnswerRequest,
  terms: QuestionTerms,
  answers: readonly StatedAnswer[],
  { textOf }: TextLookup,
): { readonly coverage: number; readonly answering: number } {
  const { isParticular, person, propertyTerms, isAnsweredBy, isStatedIn } = request
  let coverage = 0
  let answering = 0
  for (const [index, { answer, sentences, about }] of answers.entries()) {
    const hasProperty = about.some(isAnsweredBy)
    // A sentence covers no more than its document does. So most documents need not be read sentence by sentence.
    const mayCoverMore =
      terms.length === 0 ||
      hasProperty ||
      propertyTerms.size > 0 ||
      coverageOf(terms, heldInExchange(answer)) > coverage
    if (!mayCoverMore && !isParticular) continue
    const stated = person?.isSelf === true ? about : sentences
    const text = stated.map((sentence) => sentence.text).join(' ')
    const question = questionBefore(answer, textOf)
    if (text === '' || !isStatedIn(text, { isFirst: index === 0, before: question })) continue
    answering += 1
    if (!mayCoverMore) continue
    // The words of the agent's question count only for a text that answers it: “In Ghent.” after “Where do you live?”.
    const isReply = answer.asked !== null && fitsQuestion(question, text)
    const source = isReply ? answer : { ...answer, asked: null }
    const coverages = stated.map((sentence) => coverageBySentence(terms, source, sentence, request))
    coverage = Math.max(coverage, hasProperty ? PROPERTY_COVERAGE : 0, ...coverages)
  }
  return { coverage, answering }
}

/** Returns the question that a document answers; empty where it answers none. */
function questionBefore({ before }: LikelyAnswer, textOf: TextLookup['textOf']): string {
  return before === null ? '' : simplifyChinese(textOf(before))
}

/** Computes the share of the question's rarity that a sentence holds, together with the question that its document answers. */
function coverageBySentence(
  terms: QuestionTerms,
  { held, asked }: LikelyAnswer,
  sentence: StatedSentence,
  { isParticular, propertyTerms, hasProperty }: AnswerRequest,
): number {
  // A question such as “What's my name?” has no term. Any sentence that states such a thing covers it.
  if (terms.length === 0) return isParticular ? 1 : 0
  const sentenceTerms = termsOf(sentence)
  const statesProperty = propertyTerms.size > 0 && hasProperty(sentence.text)
  const heldHere = terms.map(({ term }, index) => {
    if (statesProperty && propertyTerms.has(term)) return 1
    const inDocument = held[index] ?? 0
    // At 1 the document holds the very term, so this sentence has it or another one does. Below 1 it holds other words for it.
    const inSentence = inDocument < 1 || sentenceTerms.includes(term) ? inDocument : 0
    return Math.max(inSentence, asked?.[index] ?? 0)
  })
  return coverageOf(terms, heldHere)
}

function termsOf(sentence: StatedSentence): readonly string[] {
  return (sentence.terms ??= findTerms(sentence.text))
}

/** Returns by term how far a document or the question before it holds it: 1 for the term itself, less for other words. */
function heldInExchange({ held, asked }: LikelyAnswer): readonly number[] {
  return asked === null ? held : held.map((inDocument, index) => Math.max(inDocument, asked[index] ?? 0))
}

/** Computes the share of the question's rarity that a text holds. */
function coverageOf(terms: QuestionTerms, held: readonly number[]): number {
  let rarityOfAll = 0
  let rarityOfHeld = 0
  for (const [index, { rarity }] of terms.entries()) {
    rarityOfAll += rarity
    rarityOfHeld += rarity * (held[index] ?? 0)
  }
  return rarityOfAll === 0 ? 0 : rarityOfHeld / rarityOfAll
}

/** Whether any document is near the question: by its words, by the question that it answers, or by a thing that the user owns. */
function isNearQuestion(
  question: string,
  { nearest, terms }: Evidence,
  answers: readonly StatedAnswer[],
  { textOf }: TextLookup,
): boolean {
  if (nearest >= NEAR_FROM.coverage) return true
  const answersSameQuestion = ({ answer }: StatedAnswer): boolean =>
    answer.asked !== null &&
    coverageOf(terms, answer.asked) >= NEAR_FROM.coverage &&
    fitsQuestion(questionBefore(answer, textOf), textOf(answer.id))
  if (answers.some(answersSameQuestion)) return true
  const namesThing = ({ sentences }: StatedAnswer): boolean =>
    sentences.some(({ text }) => namesOwnThing(text))
  return readAskedThing(question) !== null && answers.some(namesThing)
}

/**
 * Whether the matter of a question (its words without the person) is stated only in wishes or about another person. A question for yes
 * or no on a matter that nothing mentions counts too.
 */
function isOnlyOfOthers(
  question: string,
  { person, hasProperty }: AnswerRequest,
  { terms, unheardTerms }: Evidence,
  answers: readonly StatedAnswer[],
): boolean {
  const matterTerms = new Set(findTerms(question.replace(person?.phrase ?? '', ' ')))
  const matter = terms.filter(({ term }) => matterTerms.has(term))
  const matterCoverage = (sentence: StatedSentence): number => {
    const sentenceTerms = termsOf(sentence)
    const held = matter.map(({ term }) => Number(sentenceTerms.includes(term)))
    return hasProperty(sentence.text) ? 1 : coverageOf(matter, held)
  }
  const isAboutWishes = asksWish(question)
  let coverageOfAnyone = 0
  let coverageOfPerson = 0
  for (const { sentences, about } of answers) {
    const stated = isAboutWishes ? about : about.map((sentence) => withoutWishes(sentence))
    coverageOfAnyone = Math.max(coverageOfAnyone, ...sentences.map(matterCoverage))
    coverageOfPerson = Math.max(coverageOfPerson, ...stated.map(matterCoverage))
  }
  const isUnheard = matter.length > 0 && matter.every(({ term }) => unheardTerms.has(term))
  const asksYesOrNo = ASKS_YES_OR_NO.test(question)
  if (coverageOfAnyone === 0) return person !== null && isUnheard && asksYesOrNo
  const isSameMatter = coverageOfAnyone >= SAME_MATTER_FROM[asksYesOrNo ? 'yesOrNo' : 'open']
  return isSameMatter && coverageOfPerson < coverageOfAnyone / 2
}

/** Matches the owner of the thing asked for: “Iris's favourite food”. */
const OWNER = /(?<=\s)(\p{Lu}[\p{L}-]+)['’]s\b/u

/** Whether no text mentions the owner, the relative or the thing that a question is about. */
function lacksSubject(
  question: string,
  unheardTerms: ReadonlySet<string>,
  holds: (word: string) => boolean,
): boolean {
  const relation = readAskedRelation(question)
  if (relation !== null && !relation.some(holds)) return true
  const [, owner] = OWNER.exec(question) ?? []
  if (owner !== undefined && findTerms(owner).every((term) => unheardTerms.has(term))) return true
  const name = readAskedName(question)
  if (name !== null && !holds(name)) return true
  const thing = readAskedThing(question)
  return thing !== null && thing.every((term) => unheardTerms.has(term))
}
