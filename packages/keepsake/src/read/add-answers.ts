// Adds to the search results: gathered memories, follow-ups, and values that the user stated.
import {
  asksChange,
  pattern,
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

/** From this number of gathered memories on, the confidence is `MAX_GATHERED_CONFIDENCE`. */
const MANY_GATHERED = 4
const MAX_GATHERED_CONFIDENCE = 0.95

/** Share of the best score that a search result must reach to follow the gathered memories of a topic. */
const NEAR_SHARE = 0.6

/** Gathers the memories about a user, a conversation or a time, if a question asks for all of it. */
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

/** Answers with the gathered memories. For a topic such as work, the best search results follow. */
export function answerGathered(
  gathered: readonly FoundMemory[],
  { memories: found, confidence: searchConfidence, ...ranking }: MemoryRanking,
  kind: QuestionKind,
): FoundAnswer {
  const isOfTopic = kind.kind === 'overview' && !kind.matters.includes('person')
  const memories = isOfTopic ? appendRanking(gathered, keepNear(found)) : gathered
  const share = Math.min(1, 0.5 + gathered.length / (2 * MANY_GATHERED))
  const confidence = Math.max(searchConfidence, MAX_GATHERED_CONFIDENCE * share)
  return { ...ranking, memories, confidence, as: 'gathered', isWide: true, asks: null }
}

function keepNear(ranked: readonly FoundMemory[]): FoundMemory[] {
  const best = ranked[0]?.score ?? 0
  return ranked.filter(({ score }) => score >= NEAR_SHARE * best)
}

/** Appends one ranking to another, each memory once, with falling scores. */
function appendRanking(first: readonly FoundMemory[], second: readonly FoundMemory[]): FoundMemory[] {
  const known = new Set(first.map(({ memory }) => memory.id))
  const last = first.at(-1)?.score ?? 0
  const rest = second.filter(({ memory }) => !known.has(memory.id))
  const fall = (hit: FoundMemory, index: number): FoundMemory =>
    withPart(hit, 'told', last / (2 + index) - hit.score)
  return [...first, ...rest.map(fall)]
}

/** Factor of the score of each further memory of one session. */
const SAME_SESSION_FACTOR = 0.85

/** Spreads results over sessions, because talk about a person or a topic is spread over many days. */
export function spreadOverSessions(found: readonly FoundMemory[]): readonly FoundMemory[] {
  const counts = new Map<string, number>()
  const spread = found.map((hit) => {
    const count = counts.get(hit.memory.session) ?? 0
    counts.set(hit.memory.session, count + 1)
    return withPart(hit, 'repeats', hit.score * (SAME_SESSION_FACTOR ** count - 1))
  })
  return spread.sort((a, b) => b.score - a.score)
}

/** Number of search results that stay ahead of the follow-ups. */
const KEPT_AHEAD = 3
/** Maximum number of follow-ups: memories keepNear to the first result. */
const MAX_FOLLOW_UPS = 6
/** Maximum characters of the first result that are searched for. A turn may have 100,000. */
const MAX_FOLLOWED_LENGTH = 8_000
/** Prefix that makes the search prefer the user's words. */
const OF_USER = 'I: '

/**
 * Inserts memories of other sessions that are keepNear to the first result. A question about a change, or about the outcome of advice, has
 * its answer in two turns, and often only one of them shares words with the question.
 *
 * @param memories best first
 */
export async function withFollowUps(
  request: RecallRequest,
  state: UserState,
  memories: readonly FoundMemory[],
): Promise<readonly FoundMemory[]> {
  const [first] = memories
  // A reranking model judges each result by the question. Follow-ups would need a second call of it.
  if (first === undefined || request.engine.reranking !== null) return memories
  const change = asksChange(request.query.text) ? wordsOfChange(request.query.text) : null
  const text = change ?? readInPart(textOf(state, first.memory), MAX_FOLLOWED_LENGTH)
  const followed = { ...request.query, text: OF_USER + text }
  const near = await rankMemories({ ...request, query: followed, names: undefined }, state)
  const ahead = new Set(memories.slice(0, KEPT_AHEAD).map(({ memory }) => memory.id))
  const isFromOtherTalk = ({ memory }: FoundMemory): boolean =>
    change !== null || memory.session !== first.memory.session
  const followUps = near.memories
    .filter((hit) => !ahead.has(hit.memory.id) && isFromOtherTalk(hit))
    .slice(0, MAX_FOLLOW_UPS)
  return interleave(memories, followUps)
}

/** Alternates follow-ups with the other results after the first few, with evenly falling scores. */
function interleave(memories: readonly FoundMemory[], followUps: readonly FoundMemory[]): FoundMemory[] {
  const followUpIds = new Set(followUps.map(({ memory }) => memory.id))
  const rest = memories.slice(KEPT_AHEAD).filter(({ memory }) => !followUpIds.has(memory.id))
  const mixed = followUps.flatMap((hit, i) => [hit, ...rest.slice(i, i + 1)])
  const highest = memories.at(KEPT_AHEAD - 1)?.score ?? 0
  const lowest = rest[followUps.length]?.score ?? memories.at(-1)?.score ?? 0
  const step = Math.max(0, highest - lowest) / (mixed.length + 1)
  const placed = mixed.map((hit, index) => withPart(hit, 'leads', highest - step * (index + 1) - hit.score))
  return [...memories.slice(0, KEPT_AHEAD), ...placed, ...rest.slice(followUps.length)]
}

/** Confidence of a value that the user stated of themselves. */
const STATED_CONFIDENCE = 0.9
/** Lead of the statement of such a value, as a share of the best score. */
const OWN_LEAD = 0.02
/** Maximum length of a question for one value, in characters. */
const MAX_OWN_QUESTION_LENGTH = 80

/** Match questions for a value of the asker by the name of its key: “What's my birthday?”, 我的生日是哪天？. The group is the name. */
const ASKS_BY_NAME = [
  pattern('iu')`
    ^(?:(?:so|and|ok|okay|hey|hi)[, ]+)*
    (?:what|when|which|where|who)(?:['’]?s| is| are| was)? my (?:own |current |full )?
    ([\p{L} '’-]+?)(?: (?:called|again|now))*\s*[?？]*$
  `,
  pattern('iu')`
    \b(?:know|remember|recall|tell me|remind me(?: of)?|forgot(?:ten)?) (?:what |when |where )?my (?:own |current |full )?
    ([\p{L} '’-]+?)(?: is)?(?: again)?\s*[?？.]*$
  `,
  /^(?:请问|那|你|还|知道|记得|告诉我)*我的?(\p{Script=Han}{1,6}?)(?:是|叫|在)*(?:什么|啥|多少|哪[里儿天个]?|几[月号]|谁)?[呢吗啊呀]?[?？]*$/u,
]
/** Match questions for a value of the asker in other words: “How old am I?”. */
const ASKS_BY_WORDS: readonly (readonly [key: string, asks: RegExp])[] = [
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

/** Returns the key of the persona sheet whose value the user asks for about themselves; `undefined` for other questions. */
export function readOwnKey(question: string, table: KeyTable): PersonaKey | undefined {
  const text = question.trim()
  if (text.length > MAX_OWN_QUESTION_LENGTH || !/\b(?:i|my)\b|我/iu.test(text)) return undefined
  const [key] = ASKS_BY_WORDS.find(([, asks]) => asks.test(text)) ?? []
  if (key !== undefined) return table.get(key)
  for (const asks of ASKS_BY_NAME) {
    const [, name] = asks.exec(text) ?? []
    const named = name === undefined ? undefined : findKey(table, name)
    if (named !== undefined) return named
  }
  return undefined
}

/**
 * Puts the user's own statement first if a question asks for a value such as “my birthday”, and the user stated it and it still holds.
 * A statement of a name need not share a word with the question.
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
    resolved.scopes.flatMap((scope) => currentFacts(state.facts(scope), key, time)).map(({ id }) => id),
  )
  const own = answer.memories.filter(({ memory }) => stated.has(memory.id))
  if (own.length === 0) return answer
  const best = answer.memories[0]?.score ?? 0
  const ahead = own.map((hit) => withPart(hit, 'stated', Math.max(0, best * (1 + OWN_LEAD) - hit.score)))
  const otherHits = answer.memories.filter(({ memory }) => !stated.has(memory.id))
  return {
    ...answer,
    memories: [...ahead, ...otherHits],
    confidence: Math.max(answer.confidence, STATED_CONFIDENCE),
  }
}

function currentFacts(facts: FactLookup<Memory>, { id }: PersonaKey, time: number): readonly Memory[] {
  return facts
    .ofKey('user', id)
    .filter(({ validFrom, validUntil }) => validFrom <= time && (validUntil ?? Infinity) > time)
}
