import { findTerms, splitSentences } from '@keepsake/text'
import type { Segment } from '../extraction/extractor.ts'
import {
  ASKED_TO_FORGET,
  cutBlock,
  type DeletionReason,
  deleteAlone,
  deleteMemory,
  withdrawTurns,
} from '../memories/delete-memory.ts'
import type { Memory } from '../memories/memory.ts'
import { withoutSentences } from '../memories/kept-words.ts'
import { flatMapInPieces, yieldToEventLoop } from '../yield-to-event-loop.ts'
import type { Turn } from '../turns/turn.ts'
import { readTurns } from '../work/read-memories.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import {
  answeringSentences,
  askingSentences,
  namesAnother,
  continuingSentences,
  isOnlyAbout,
  mayBePerson,
} from './continue-topic.ts'
import { restingOn, saidIn } from './find-targets.ts'
import { NO_TOPIC, type Topic, namedIn, namesNamed, readTopics, settleTopic, tellsOf } from './read-topic.ts'
import type { Similarity } from './related-words.ts'

/** Maximum number of turns that a pronoun is followed for. */
const LONGEST_CHAIN = 4
/** Maximum number of turns, the latest first, from which pronouns are followed. */
const MOST_CHAINS = 100

/** Finds sentences that continue the topic by a pronoun, in the turns right after a mention, grouped by turn. */
async function followTopic(
  given: Forgetting,
  about: string,
  topic: Topic,
  telling: readonly Turn[],
): Promise<Map<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  const isPerson = mayBePerson(about, topic.hasName)
  const latest = [...telling].sort((a, b) => b.position - a.position).slice(0, MOST_CHAINS)
  for (const turn of latest) {
    await yieldToEventLoop()
    const next = turnsAfter(given, turn)
    const known = [...about.split(/[^\p{L}'-]+/u), ...namesOf([turn, ...next])]
    if (!isOnlyAbout(turn.text, (sentence) => tellsOf(topic, sentence), known)) continue
    let last = turn
    for (const turn of next) {
      const sentences = tellsOf(topic, turn.text) ? [] : goingOn(turn, last, { known, isPerson })
      if (sentences.length === 0) break
      found.set(turn.id, sentences)
      last = turn
    }
  }
  return found
}

/** Returns the sentences that continue the turn before: by a pronoun, a question about it or its answer. */
function goingOn(
  turn: Turn,
  last: Turn,
  { known, isPerson }: { readonly known: readonly string[]; readonly isPerson: boolean },
): readonly string[] {
  const sentences = continuingSentences(turn.text, known, isPerson)
  if (sentences.length > 0) return sentences
  if (turn.role === 'assistant') return askingSentences(turn.text, known)
  const isAnswer = last.role === 'assistant' && askingSentences(last.text, known).length > 0
  return isAnswer ? answeringSentences(turn.text, known) : []
}

/** Returns the turns right after one, within its session and before the request. */
function turnsAfter({ row, state, before }: Forgetting, turn: Turn): Turn[] {
  const after = state.turnsAfter(row.scope, turn.position, { limit: LONGEST_CHAIN })
  const end = after.findIndex(
    (one, index) =>
      one.session !== turn.session || one.position !== turn.position + index + 1 || one.position >= before,
  )
  return end < 0 ? after : after.slice(0, end)
}

function namesOf(turns: readonly Turn[]): string[] {
  return turns.flatMap((turn) => (turn.speaker ?? '').split(/\s+/)).filter((name) => name !== '')
}

/** Forms that describe turns in new words or quotes. */
const SUMMARISING: ReadonlySet<Memory['form']> = new Set(['summary', 'story', 'portrait'])

/** Removes the topic from summaries and the story, including turns whose utterance was deleted before. */
async function withdrawTopic(given: Forgetting, topic: Topic, following: ReadonlySet<string>): Promise<void> {
  const { engine, row, state, changes, why, before } = given
  const summaries = [...state.listMemories({ scopes: new Set([row.scope]) })].flatMap(({ id }) => {
    const memory = changes.read(id)
    return memory?.status === 'live' && SUMMARISING.has(memory.form) ? [memory] : []
  })
  const unquoted = summaries.flatMap((memory) =>
    memory.evidence.flatMap((source) => (source.quote === null && memory.text === '' ? [source.turn] : [])),
  )
  const turns = await readTurns(engine, row.owner, unquoted)
  for (const memory of summaries) {
    await yieldToEventLoop()
    const telling = memory.evidence.filter(({ turn, quote }) => {
      if ((state.turns.get(turn)?.position ?? 0) >= before) return false
      return following.has(turn) || tellsOf(topic, quote ?? turns.get(turn)?.text ?? '')
    })
    const isTold = telling.length === 0 && memory.text !== '' && tellsOf(topic, memory.text)
    const isFromBefore = memory.evidence.every(({ turn }) => (state.turns.get(turn)?.position ?? 0) < before)
    const isWritten = memory.evidence.some((source) => source.quote === null)
    const rest = isTold && isWritten ? withoutSentences(memory.text, (one) => tellsOf(topic, one)) : null
    if (rest !== null) {
      changes.change('modify', memory.id, { text: rest }, why.origin)
      continue
    }
    const gone = isTold && isFromBefore ? memory.evidence : telling
    withdrawTurns(changes, memory, new Set(gone.map(({ turn }) => turn)), why)
  }
}

export interface Forgetting extends UnitOfWork {
  readonly why: DeletionReason
  /** Only what was said before this position is meant. */
  readonly before: number
  readonly similarity: Similarity
}

export interface FoundMeaning {
  readonly memories: readonly string[]
  /** Turns that contain nothing else. */
  readonly turns: readonly string[]
}

/**
 * Deletes the memories found for a request, the turns a model named, and every mention and continuation of the topic. Later statements
 * stay.
 *
 * @param about the request's words; `null` for the preceding statement
 * @returns names of the people involved; other mentions of them also count
 */
export async function forgetTopic(
  given: Forgetting,
  about: string | null,
  found: FoundMeaning,
): Promise<readonly string[]> {
  const { state, changes, why } = given
  const named = new Set(found.turns)
  const resting = restingOn(given, named).filter((memory) => isOnlyFrom(memory, named))
  const ids = [...new Set([...found.memories, ...resting.map(({ id }) => id)])]
  const memories = ids.flatMap((id) => changes.read(id) ?? [])
  const said = await saidIn(given, memories)
  const names = about === null ? [] : await namesTold(given, about, memories, said)
  const topic =
    about === null
      ? NO_TOPIC
      : await settleTopic(readTopics([about, ...names], given.similarity), [...said.values()], textOf)
  const sentencesAbout: Telling = (turn) =>
    named.has(turn.id)
      ? sentencesOf(turn)
      : turn.position >= given.before
        ? []
        : tellingSentences(topic, turn)
  for (const memory of memories) {
    await yieldToEventLoop()
    if (changes.read(memory.id)?.status !== 'live') continue
    const turns = memory.evidence.flatMap((source) => said.get(source.turn) ?? [])
    if (memory.form === 'utterance' && about !== null) dropUtterance(given, memory, turns, sentencesAbout)
    else deleteMemory(changes, memory, why, (turn) => state.memoriesOfTurn(turn))
  }
  const telling = await flatMapInPieces(said.values(), (turn) =>
    sentencesAbout(turn).length > 0 ? [turn] : [],
  )
  const following =
    about === null
      ? new Map<string, readonly string[]>()
      : await followTopic(given, [about, ...names].join(' '), topic, telling)
  await dropFollowing(given, following)
  await withdrawTopic(given, topic, new Set([...following.keys(), ...named]))
  cutBlocks(given, topic)
  await dropPast(given, topic)
  await dropQuotes(given, topic)
  return names
}

const textOf = ({ text }: Turn): readonly string[] => [text]

/** Accepts utterances of the turns, and facts that rest on nothing else. */
function isOnlyFrom({ form, evidence }: Memory, turns: ReadonlySet<string>): boolean {
  return form === 'utterance' || (form === 'fact' && evidence.every((source) => turns.has(source.turn)))
}

/** Finds the names behind a description: “my ex” is Tom when “my ex Tom” was said, and no other person of that name was. */
async function namesTold(
  { state }: Pick<Forgetting, 'state'>,
  about: string,
  memories: readonly Memory[],
  said: ReadonlyMap<string, Turn>,
): Promise<readonly string[]> {
  const texts = memories.flatMap((memory) =>
    memory.evidence.flatMap((source) => said.get(source.turn)?.text ?? []),
  )
  const names = new Set(await flatMapInPieces(texts, (text) => namedIn(about, [text])))
  for (const { text } of names.size === 0 ? [] : [...state.turns.values()]) {
    await yieldToEventLoop()
    for (const name of names) if (namesAnother(text, name, about)) names.delete(name)
  }
  return [...names]
}

/** Deletes continuations by a pronoun: the utterance, and facts extracted from those sentences. */
async function dropFollowing(
  given: Forgetting,
  following: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const { state, changes, why } = given
  for (const { id } of restingOn(given, following.keys())) {
    await yieldToEventLoop()
    const memory = changes.read(id)
    if (memory?.status !== 'live') continue
    const isOfTopic = memory.evidence.every(
      (source) => source.quote !== null && following.get(source.turn)?.includes(source.quote) === true,
    )
    if (memory.form === 'fact' && isOfTopic)
      deleteMemory(changes, memory, why, (one) => state.memoriesOfTurn(one))
    if (memory.form !== 'utterance') continue
    const said = [...(await saidIn(given, [memory])).values()]
    dropUtterance(given, memory, said, (turn) => following.get(turn.id) ?? [])
  }
}

/** Removes the topic from the agent's blocks, whatever they rest on. */
function cutBlocks({ row, state, changes, why }: Forgetting, topic: Topic): void {
  for (const { id } of state.memoriesOf(row.scope, 'block')) {
    const block = changes.read(id)
    if (block?.status === 'live') cutBlock(changes, block, (sentence) => tellsOf(topic, sentence), why)
  }
}

/** Removes past versions about the topic from facts that stay. */
async function dropPast({ row, state, changes, why }: Forgetting, topic: Topic): Promise<void> {
  for (const { id } of state.listMemories({ scopes: new Set([row.scope]) })) {
    await yieldToEventLoop()
    const memory = changes.read(id)
    if (memory?.status !== 'live' || memory.past.length === 0) continue
    const past = memory.past.filter((version) => !tellsOf(topic, `${version.text} ${version.value ?? ''}`))
    if (past.length < memory.past.length) changes.change('modify', id, { past }, why.origin)
  }
}

/** Removes quotes about the topic from facts and blocks that stay. */
async function dropQuotes({ row, state, changes, why, before }: Forgetting, topic: Topic): Promise<void> {
  const forms: readonly Memory['form'][] = ['fact', 'block']
  const known = state.listMemories({ scopes: new Set([row.scope]), forms })
  const quoting = [...known, ...changes.memories].filter(({ form }) => forms.includes(form))
  for (const id of new Set(quoting.map(({ id }) => id))) {
    await yieldToEventLoop()
    const { status, evidence = [] } = changes.read(id) ?? {}
    if (status !== 'live') continue
    const rest = evidence.map((source) => {
      const isMeant = source.quote !== null && (state.turns.get(source.turn)?.position ?? 0) < before
      return isMeant && tellsOf(topic, source.quote) ? { ...source, quote: null } : source
    })
    if (rest.some((source, index) => source !== evidence[index]))
      changes.change('modify', id, { evidence: rest }, why.origin)
  }
}

/** Deletes the request itself, which names what to forget. */
export function dropRequest({ state, changes, why }: Forgetting, turn: string): void {
  for (const memory of state.memoriesOfTurn(turn)) {
    const current = changes.read(memory.id)
    if (current?.form === 'utterance' && current.status === 'live')
      deleteMemory(changes, current, why, (one) => state.memoriesOfTurn(one))
  }
}

/** Deletes replies of the agent that repeat what was forgotten: "Of course, I've forgotten Tom." */
export async function dropReplies(
  given: Forgetting,
  segment: Segment,
  about: readonly string[],
): Promise<void> {
  const { row, state, changes } = given
  for (const reply of segment.turns) {
    if (reply.role !== 'assistant') continue
    const before = state.userTurnBefore(row.scope, reply.position)
    if (before?.position !== reply.position - 1) continue
    const wasAsked = [...state.memoriesOfTurn(before.id)].some(({ id }) => {
      const memory = changes.read(id)
      return memory?.form === 'utterance' && memory.status === 'deleted' && memory.reason === ASKED_TO_FORGET
    })
    if (!wasAsked) continue
    // A reply may mention the matter in part, so any word of the request matches.
    const words = [...about, ...about.flatMap(namesNamed), ...about.flatMap(findTerms)]
    const topic = readTopics(words, given.similarity)
    const telling: Telling = (turn) => (turn.id === reply.id ? tellingSentences(topic, turn) : [])
    const memory = state.utteranceOf(reply.id)
    if (memory === undefined || changes.read(memory.id)?.status !== 'live') continue
    if (telling(reply).length === 0) continue
    const said = [...(await saidIn(given, [memory])).values()]
    dropUtterance(given, memory, said, telling)
  }
}

/** Selects the sentences of a turn that mention the forgotten matter. */
export type Telling = (turn: Turn) => readonly string[]

/**
 * Deletes an utterance that mentions the topic. If only the agent's part does, and it asks nothing the user answers, the user's words
 * become a new utterance.
 */
function dropUtterance(
  { state, changes, why }: Forgetting,
  memory: Memory,
  turns: readonly Turn[],
  telling: Telling,
): void {
  const kept = turns.filter((turn) => telling(turn).length === 0)
  const gone = turns.filter((turn) => telling(turn).length > 0)
  const isOfAgent =
    kept.some((turn) => turn.role === 'user') &&
    gone.every((turn) => turn.role === 'assistant' && !telling(turn).some((one) => /[?？]\s*$/.test(one)))
  const resting = (turn: string) => state.memoriesOfTurn(turn)
  if (!isOfAgent || gone.length === 0) {
    deleteMemory(changes, memory, why, resting)
    return
  }
  const { id: parent } = deleteAlone(changes, memory, why)
  const { id: _id, scope: _scope, origin, ...rest } = memory
  const ids = new Set(kept.map((turn) => turn.id))
  const evidence = memory.evidence.filter((source) => ids.has(source.turn))
  changes.add({ ...rest, evidence }, { origin, parent })
}

function sentencesOf(turn: Turn): readonly string[] {
  return splitSentences(turn.text).map((sentence) => sentence.text)
}

/** Returns the sentences of a turn that mention a topic; all of them when only their combination does. */
function tellingSentences(topic: Topic, turn: Turn): readonly string[] {
  const sentences = sentencesOf(turn)
  const telling = sentences.filter((sentence) => tellsOf(topic, sentence))
  return telling.length === 0 && tellsOf(topic, turn.text) ? sentences : telling
}
