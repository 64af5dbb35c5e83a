import { findTerms } from '../terms/analyse-text.ts'
import { TextTrait } from '../terms/text-traits.ts'
import { callsBy, joinNames, NO_NAMES, withPronouns, type TalkNames } from './read-names.ts'
import { readWords, type AskedWord } from '../synonyms/read-words.ts'
import { readTimeRanges, type TimeRange } from './read-time-range.ts'

/** Somebody who speaks in the documents, as far as a question can name them. */
export interface Participant {
  readonly name: string
  /** Terms of the name; a question that holds any of them names the person. */
  readonly terms: readonly string[]
  /** A person remembered (role `user`), not an agent. */
  readonly isPerson: boolean
}

/** What a question says about what would answer it. */
export interface ReadQuestion {
  /** Distinct content terms, without the names of those it asks about (unless there is nothing else). */
  readonly terms: readonly string[]
  /** Its words that something may have been said in place of, with what that is. */
  readonly words: readonly AskedWord[]
  /** The text without those names: whom it is about says little about what. */
  readonly about: string
  /**
   * Names of the participants whose words it asks for. The only person remembered is not among them: everything is
   * about that person, and the agent's turns tell of them as well.
   */
  readonly named: readonly string[]
  /** Whose doing it asks about when nobody is named: “What did I …”, “Which did you …”. */
  readonly role: 'user' | 'agent' | null
  /** Bits of `TextTrait` of which an answer should have one. */
  readonly expected: number
  readonly ranges: readonly TimeRange[]
}

const ASKS_TIME =
  /\bwhen\b|\b(?:what|which|on what|in what) (?:date|time|year|month|day|week)\b|\bhow long\b|\bhow often\b|什么时候|何时|哪天|哪一天|哪年|几月|几号|日期|多久/i
const ASKS_NUMBER = /\bhow (?:many|much|long|old|often|far|big)\b|多少|几[个次只岁人天]|多[大久长]/i
const ASKS_NAME =
  /\b(?:who|whom|whose|where|which)\b|\bwhat(?:'s| is| are| was| were)?(?: the| its| their)? (?:names?|titles?)\b|\b(?:name|title|called)\b|谁|哪|名字|叫什么|什么名/i
const REMEMBER =
  /\b(?:do|did|can|could|would) you (?:still )?(?:remember|recall|know)\b|你(?:还)?(?:记得|知道)/gi
const FIRST_SUBJECT = /\bi\b|\bi['’]|\bmy\b|[我咱俺]/i
const SECOND_SUBJECT = /\byou\b|\byou['’]|\byour\b|[你您]/i

export interface ReadOptions {
  /** The moment of asking, in milliseconds since 1970. */
  readonly now: number
  /** The asker's zone, minutes east of UTC; 0 when absent. */
  readonly offsetMinutes?: number | undefined
  /** Name of the person who asks, when several are remembered: “I” and “my” mean them. */
  readonly asker?: string | undefined
  /** What the one who asks and the agent are called, beside the labels of their turns. */
  readonly names?: TalkNames | undefined
}

/**
 * Reads a question: what to look for, about whom, of when, and what kind of answer it wants.
 *
 * @param text the question
 * @param participants who speaks in the documents
 */
export function readQuestion(
  text: string,
  participants: readonly Participant[],
  options: ReadOptions,
): ReadQuestion {
  const names = joinNames(options.names ?? NO_NAMES, namesOf(participants))
  const asked = withPronouns(text, names)
  const all = [...new Set(findTerms(withoutAsking(asked)))]
  const people = participants.filter(({ isPerson }) => isPerson)
  const called = (people.length < 2 ? [] : people).filter(({ terms }) =>
    terms.some((term) => all.includes(term)),
  )
  const agents = participants.filter(({ isPerson, name }) => !isPerson && callsBy(text, [name]))
  const nameTerms = new Set(called.flatMap(({ terms }) => terms))
  const rest = all.filter((term) => !nameTerms.has(term))
  const terms = rest.length > 0 ? rest : all.length > 0 ? all : [...new Set(findTerms(text))]
  const about = rest.length > 0 ? withoutNames(asked, called) : text
  let words: readonly AskedWord[] | undefined
  return {
    terms,
    // Few recipes ask for them, and looking them up takes longer than all else here.
    get words() {
      return (words ??= readWords(about))
    },
    about,
    ...readTelling(asked, called, agents, options),
    expected: readExpected(text),
    ranges: readTimeRanges(text, options.now, options.offsetMinutes ?? 0),
  }
}

/**
 * Names of those who speak: of the agents, and of the person where there is only one, who is the one that asks. Where there are more, each is
 * known by their own words.
 */
export function namesOf(participants: readonly Participant[]): TalkNames {
  const people = participants.filter(({ isPerson }) => isPerson).map(({ name }) => name)
  const agents = participants.filter(({ isPerson }) => !isPerson).map(({ name }) => name)
  return { self: people.length < 2 ? people : [], agent: agents }
}

/** Chinese words that only ask: in an answer none of them stands, and pairs that they make with their neighbours fall together by chance. */
const ASKS_CHINESE = /什么时候|啥时候|什么地方|哪[里儿]|怎么样?|为什么|多少|多久|多大|几[点号岁]/gu

function withoutAsking(text: string): string {
  const rest = text.replaceAll(ASKS_CHINESE, ' ')
  return findTerms(rest).length === 0 ? text : rest
}

/** Whose words are asked for. */
function readTelling(
  asked: string,
  called: readonly Participant[],
  agents: readonly Participant[],
  { asker }: ReadOptions,
): Pick<ReadQuestion, 'named' | 'role'> {
  const named = (who: readonly Participant[]): string[] => who.map(({ name }) => name)
  if (called.length > 0) return { named: named([...called, ...agents]), role: null }
  const role = readRole(asked)
  if (role === 'user' && asker !== undefined) return { named: [asker], role: null }
  if (role === 'agent' && agents.length > 0) return { named: named(agents), role: null }
  return { named: [], role }
}

function withoutNames(text: string, called: readonly Participant[]): string {
  let about = text
  for (const word of called.flatMap(({ name }) => name.split(/\s+/))) {
    if (word !== '')
      about = about.replaceAll(new RegExp(`(?<!\\p{L})${escapeRegExp(word)}(?:['’]s)?(?!\\p{L})`, 'giu'), ' ')
  }
  return about
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

/** Whoever comes first as a subject; in Chinese and in short English questions that is the one who did it. */
function readRole(text: string): 'user' | 'agent' | null {
  const asked = text.replaceAll(REMEMBER, ' ')
  const first = asked.search(FIRST_SUBJECT)
  const second = asked.search(SECOND_SUBJECT)
  if (first < 0 && second < 0) return null
  if (second < 0 || (first >= 0 && first < second)) return 'user'
  return 'agent'
}

/** Whether a question is about what the agent said or did: “Which book did you recommend?” */
export function asksOfAgent(question: string): boolean {
  return readRole(question) === 'agent'
}

const ADVICE =
  /\b(?:suggest|recommend|advis|advice|propos|promis|remind|tip)\w*\b|建议|推荐|提醒|答应|教|让|劝|主意|办法/i

/** Whether a question is about what the agent advised or promised: of an agent by its name, much else may be asked. */
export function asksAdvice(question: string): boolean {
  return asksOfAgent(question) && ADVICE.test(question)
}

function readExpected(text: string): number {
  let expected = 0
  if (ASKS_TIME.test(text)) expected |= TextTrait.placesInTime
  if (ASKS_NUMBER.test(text)) expected |= TextTrait.holdsNumber
  if (ASKS_NAME.test(text)) expected |= TextTrait.holdsName
  return expected
}
