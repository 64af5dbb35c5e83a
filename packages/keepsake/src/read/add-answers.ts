import {
  asksChange,
  findKey,
  type KeyTable,
  type PersonaKey,
  wordsOfChange,
  type QuestionKind,
  type TimeRange,
} from '@keepsake/text'
import type { FactLookup } from '../facts/fact-lookup.ts'
import type { Memory } from '../memories/memory.ts'
import { withPart } from '../retrieval/recall-types.ts'
import { textOf } from '../work/read-memories.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { FoundMemory, FoundAnswer, MemoryRanking } from './found-memory.ts'
import { readInPart, type RecallRequest } from './query.ts'
import { rankMemories } from './rank.ts'
import { gatherAround, gatherLastSession, gatherOverview, gatherTimes } from './overview.ts'

/** From this number of gathered memories on, the confidence is the highest. */
const ENOUGH_TOLD = 4
const SURE = 0.95

/** Share of the best score that a search result must reach to follow the gathered memories of a topic. */
const NEAR_SHARE = 0.6

/** Gathers what was said of a user, a conversation or a time, where a question asks for the whole of it. */
export async function gatherWhole(
  request: RecallRequest,
  state: UserState,
  kind: QuestionKind,
  ranges: readonly TimeRange[],
): Promise<readonly FoundMemory[]> {
  switch (kind.kind) {
    case 'fact':
    case 'subject':
      return []
    case 'overview':
      return gatherOverview(request, state, kind.matters)
    case 'last-talk':
      return gatherLastSession(request, state)
    case 'time':
      return gatherTimes(request, state, ranges)
    case 'around': {
      const { memories } = await rankMemories({
        ...request,
        query: { ...request.query, text: kind.event },
        names: undefined,
      })
      const [event] = memories
      return event === undefined ? [] : gatherAround(request, state, event, kind.side)
    }
  }
}

/** Answers with the gathered memories. For topics the search results follow them, as far as there is room. */
export function answerGathered(
  gathered: readonly FoundMemory[],
  { memories: found, confidence: sure, ...ranking }: MemoryRanking,
  kind: QuestionKind,
): FoundAnswer {
  const isOfMatters = kind.kind === 'overview' && !kind.matters.includes('person')
  const memories = isOfMatters ? together(gathered, nearest(found)) : gathered
  const confidence = Math.max(sure, SURE * Math.min(1, 0.5 + gathered.length / (2 * ENOUGH_TOLD)))
  return { ...ranking, memories, confidence, as: 'gathered', isWide: true, asks: null }
}

function nearest(ranked: readonly FoundMemory[]): FoundMemory[] {
  const best = ranked[0]?.score ?? 0
  return ranked.filter(({ score }) => score >= NEAR_SHARE * best)
}

/** Appends one ranking to another, each memory once, with falling scores. */
function together(first: readonly FoundMemory[], then: readonly FoundMemory[]): FoundMemory[] {
  const known = new Set(first.map(({ memory }) => memory.id))
  const last = first.at(-1)?.score ?? 0
  const rest = then.filter(({ memory }) => !known.has(memory.id))
  const fall = (hit: FoundMemory, index: number): FoundMemory =>
    withPart(hit, 'told', last / (2 + index) - hit.score)
  return [...first, ...rest.map(fall)]
}

/** What each further memory of one session counts for, beside the one before it. */
const SAME_SESSION = 0.85

/** Spreads results over sessions: how a person or matter stands and went is told on many days. */
export function spreadOverSessions(found: readonly FoundMemory[]): readonly FoundMemory[] {
  const counts = new Map<string, number>()
  const spread = found.map((hit) => {
    const count = counts.get(hit.memory.session) ?? 0
    counts.set(hit.memory.session, count + 1)
    return withPart(hit, 'repeats', hit.score * (SAME_SESSION ** count - 1))
  })
  return spread.sort((a, b) => b.score - a.score)
}

/** Search results that stay ahead of the follow-ups. */
const AHEAD = 3
/** Maximum of follow-ups: memories nearest to the first result. */
const MOST = 6
/** Maximum of characters of the first result that are searched for: a turn may have 100,000. */
const MOST_FOLLOWED = 8_000
/** Prefix that makes the search prefer the user's words. */
const BY_THE_USER = 'I: '

/**
 * Inserts memories of other sessions that are nearest to the first result. A question about a change, or about what came of advice,
 * has two answers, and only one of them shares its words.
 *
 * @param memories best first
 */
export async function withFollowUps(
  request: RecallRequest,
  state: UserState,
  memories: readonly FoundMemory[],
): Promise<readonly FoundMemory[]> {
  const [first] = memories
  // A reranking model judges each result by the question, and is called once.
  if (first === undefined || request.engine.reranking !== null) return memories
  const change = asksChange(request.query.text) ? wordsOfChange(request.query.text) : null
  const text = change ?? readInPart(textOf(state, first.memory), MOST_FOLLOWED)
  const followed = { ...request.query, text: BY_THE_USER + text }
  const near = await rankMemories({ ...request, query: followed, names: undefined }, state)
  const ahead = new Set(memories.slice(0, AHEAD).map(({ memory }) => memory.id))
  const led = near.memories
    .filter(
      ({ memory }) => !ahead.has(memory.id) && (change !== null || memory.session !== first.memory.session),
    )
    .slice(0, MOST)
  return inTurn(memories, led)
}

/** Alternates follow-ups with the other results behind the first few, with evenly falling scores. */
function inTurn(memories: readonly FoundMemory[], led: readonly FoundMemory[]): FoundMemory[] {
  const isLed = new Set(led.map(({ memory }) => memory.id))
  const rest = memories.slice(AHEAD).filter(({ memory }) => !isLed.has(memory.id))
  const mixed = led.flatMap((hit, i) => [hit, ...rest.slice(i, i + 1)])
  const last = memories.at(AHEAD - 1)?.score ?? 0
  const least = rest[led.length]?.score ?? memories.at(-1)?.score ?? 0
  const step = Math.max(0, last - least) / (mixed.length + 1)
  const placed = mixed.map((hit, index) => withPart(hit, 'leads', last - step * (index + 1) - hit.score))
  return [...memories.slice(0, AHEAD), ...placed, ...rest.slice(led.length)]
}

/** Confidence of a value that the user stated of themselves. */
const STATED = 0.9
/** Lead of such a statement over the best score, as a share of it. */
const OWN_LEAD = 0.02
/** Maximum length of a question for one value, in characters. */
const LONGEST = 80

/** Questions for a value of one's own by the name that its key has on the sheet: “What's my birthday?”, 我的生日是哪天？ */
const BY_NAME = [
  /^(?:(?:so|and|ok|okay|hey|hi)[, ]+)*(?:what|when|which|where|who)(?:['’]?s| is| are| was)? my (?:own |current |full )?([\p{L} '’-]+?)(?: (?:called|again|now))*\s*[?？]*$/iu,
  /\b(?:know|remember|recall|tell me|remind me(?: of)?|forgot(?:ten)?) (?:what |when |where )?my (?:own |current |full )?([\p{L} '’-]+?)(?: is)?(?: again)?\s*[?？.]*$/iu,
  /^(?:请问|那|你|还|知道|记得|告诉我)*我的?(\p{Script=Han}{1,6}?)(?:是|叫|在)*(?:什么|啥|多少|哪[里儿天个]?|几[月号]|谁)?[呢吗啊呀]?[?？]*$/u,
]
/** The same in words of their own. */
const BY_WORDS: readonly (readonly [key: string, asks: RegExp])[] = [
  ['name', /\bwhat am i called\b|我(?:叫|名字叫)(?:什么|啥)(?:名字)?/iu],
  ['age', /\bhow old am i\b|我(?:今年)?(?:多大|几岁|多少岁)/iu],
  ['birthday', /\bwhen was i born\b|我(?:是)?(?:哪天|几月几号|什么时候)(?:出生|生日)/iu],
  ['residence', /\bwhere do i live\b|我(?:现在)?住(?:在)?(?:哪|什么地方)/iu],
  [
    'occupation',
    /\bwhat do i (?:do for (?:a living|work)|work as|do(?=[\s?.!]*$))|我(?:现在)?(?:是)?[做干](?:什么|啥)(?:(?:工作|活儿?)?的|工作|活儿?)/iu,
  ],
  ['employer', /\bwhere do i work\b|我在(?:哪[里儿]?|什么(?:公司|单位))(?:工作|上班)/iu],
  ['origin', /\bwhere am i from\b|我(?:是|来自)哪里?(?:的?人)?[?？]*$/iu],
]

/** The key of the sheet whose value the asker asks of themselves; `undefined` where a question asks for anything else. */
export function readOwnKey(question: string, table: KeyTable): PersonaKey | undefined {
  const text = question.trim()
  if (text.length > LONGEST || !/\b(?:i|my)\b|我/iu.test(text)) return undefined
  const [key] = BY_WORDS.find(([, asks]) => asks.test(text)) ?? []
  if (key !== undefined) return table.get(key)
  for (const asks of BY_NAME) {
    const [, name] = asks.exec(text) ?? []
    const named = name === undefined ? undefined : findKey(table, name)
    if (named !== undefined) return named
  }
  return undefined
}

/**
 * Where a question asks for a value that the asker stated of themselves, and that still holds, it is known, and the statement comes
 * first: the words of a question for one's name need not stand anywhere.
 *
 * @param asked the question with pronouns in place of the user's name
 */
export function withOwnValue(
  { query, engine, resolved }: RecallRequest,
  state: UserState,
  asked: string,
  answer: FoundAnswer,
): FoundAnswer {
  const key = readOwnKey(asked, engine.preset.keyTable)
  if (key === undefined) return answer
  const time = query.asOf ?? query.now
  const stated = new Set(
    resolved.scopes.flatMap((scope) => holding(state.facts(scope), key, time)).map(({ id }) => id),
  )
  const own = answer.memories.filter(({ memory }) => stated.has(memory.id))
  if (own.length === 0) return answer
  const best = answer.memories[0]?.score ?? 0
  const ahead = own.map((hit) => withPart(hit, 'stated', Math.max(0, best * (1 + OWN_LEAD) - hit.score)))
  const otherHits = answer.memories.filter(({ memory }) => !stated.has(memory.id))
  return { ...answer, memories: [...ahead, ...otherHits], confidence: Math.max(answer.confidence, STATED) }
}

function holding(facts: FactLookup<Memory>, { id }: PersonaKey, time: number): readonly Memory[] {
  return facts
    .ofKey('user', id)
    .filter(({ validFrom, validUntil }) => validFrom <= time && (validUntil ?? Infinity) > time)
}
