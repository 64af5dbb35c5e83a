// Deletes a topic from everything that mentions it: memories, utterances, summaries, blocks, past versions and quotes.
import { findTerms, splitSentences } from '@keepsake/text'
import type { Segment } from '../extraction/extractor.ts'
import {
  ASKED_TO_FORGET,
  cutBlock,
  type DeletionReason,
  deleteAlone,
  deleteMemory,
  removeTurns,
  withoutSentences,
} from '../memories/delete-memory.ts'
import { restsOn } from '../memories/evidence.ts'
import type { Memory, MemoryForm } from '../memories/memory.ts'
import type { Turn } from '../turns/turn.ts'
import { readTurns } from '../work/read-memories.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { flatMapInPieces, yieldToEventLoop } from '../yield-to-event-loop.ts'
import { listMemoriesOfTurns, readEvidenceTurns } from './find-targets.ts'
import {
  chooseTopic,
  mentionsTopic,
  NO_TOPIC,
  readTopics,
  type Topic,
  type TopicContext,
} from './read-topic.ts'
import { findNamesOf, listNames } from './topic-names.ts'
import { additionTo } from './topic-relations.ts'
import {
  answerSentences,
  canBePerson,
  continuingSentences,
  isOnlyAbout,
  namesOtherPerson,
  questionSentences,
} from './resolve-pronouns.ts'

/** Maximum number of turns after a mention of the topic that may continue it by a pronoun. Chosen, not measured. */
const MAX_CONTINUATIONS = 4
/** Maximum number of mentions after which continuations are searched, the latest first. */
const MAX_MENTIONS = 100

/** The unit in which a topic is deleted, with the reason and limits of the deletion. */
export interface TopicDeletion extends UnitOfWork, TopicContext {
  readonly why: DeletionReason
  /** Only turns before this position, and memories of them, are affected. */
  readonly before: number
}

/** Selects the sentences of a turn that mention the topic. */
type SentenceSelector = (turn: Turn) => readonly string[]

/**
 * Deletes the memories that were found for a request, the turns that a model named, and every mention of the topic. A
 * continuation of a mention by a pronoun is deleted too. Statements after the request stay.
 *
 * @param about the request's words; `null` for the preceding statement
 * @param found ids of the memories, and of turns that contain nothing else
 * @returns names of the people in the topic; the caller deletes their other mentions
 */
export async function forgetTopic(
  deletion: TopicDeletion,
  about: string | null,
  found: { readonly memories: readonly string[]; readonly turns: readonly string[] },
): Promise<readonly string[]> {
  const { changes, why } = deletion
  const wholeTurns = new Set(found.turns)
  const memoriesOfWholeTurns = listMemoriesOfTurns(deletion, wholeTurns).filter(
    ({ form, evidence }) =>
      form === 'utterance' || (form === 'fact' && evidence.every(({ turn }) => wholeTurns.has(turn))),
  )
  const ids = new Set([...found.memories, ...memoriesOfWholeTurns.map(({ id }) => id)])
  const memories = [...ids].flatMap((id) => changes.read(id) ?? [])
  const turns = await readEvidenceTurns(deletion, memories)
  const names = about === null ? [] : await findUniqueNames(deletion, about, memories, turns)
  const texts = [...turns.values()].map(({ text }) => text)
  const topics = about === null ? NO_TOPIC : readTopics([about, ...names], deletion)
  const topic = await chooseTopic(topics, texts, (text) => [text])
  const select: SentenceSelector = (turn) => {
    if (wholeTurns.has(turn.id)) return sentencesOf(turn)
    return turn.position >= deletion.before ? [] : sentencesAbout(topic, turn)
  }
  for (const memory of memories) {
    await yieldToEventLoop()
    if (changes.read(memory.id)?.status !== 'live') continue
    const sources = memory.evidence.flatMap((source) => turns.get(source.turn) ?? [])
    if (memory.form === 'utterance' && about !== null) deleteUtterance(deletion, memory, sources, select)
    else deleteMemory(changes, memory, why, (turn) => deletion.state.memoriesOfTurn(turn))
  }
  const mentions = await flatMapInPieces(turns.values(), (turn) => (select(turn).length > 0 ? [turn] : []))
  const continuations =
    about === null
      ? new Map<string, readonly string[]>()
      : await findContinuations(deletion, [about, ...names].join(' '), topic, mentions)
  await deleteContinuations(deletion, continuations)
  await removeFromSummaries(deletion, topic, new Set([...continuations.keys(), ...wholeTurns]))
  removeFromBlocks(deletion, topic)
  await removePastVersions(deletion, topic)
  await removeQuotes(deletion, topic)
  return names
}

/** Finds the name behind a description: “my ex” is Tom if “my ex Tom” was said and no other person is called Tom. */
async function findUniqueNames(
  { state }: TopicDeletion,
  about: string,
  memories: readonly Memory[],
  turns: ReadonlyMap<string, Turn>,
): Promise<readonly string[]> {
  const texts = memories.flatMap(({ evidence }) =>
    evidence.flatMap(({ turn }) => turns.get(turn)?.text ?? []),
  )
  const names = new Set(await flatMapInPieces(texts, (text) => findNamesOf(about, [text])))
  for (const { text } of names.size === 0 ? [] : [...state.turns.values()]) {
    await yieldToEventLoop()
    for (const name of names)
      if (namesOtherPerson(text, name, about) || hasOtherAddition(text, name, texts)) names.delete(name)
  }
  return [...names]
}

/** Checks whether a text distinguishes its person by words that none of the person's texts has: “Karl Marx”. */
function hasOtherAddition(text: string, name: string, texts: readonly string[]): boolean {
  const addition = text.includes(name) ? additionTo(name, text) : null
  return addition !== null && texts.every((own) => additionTo(name, own) !== addition)
}

/** Finds sentences that continue the topic by a pronoun, in the turns right after each mention. Returns them by turn. */
async function findContinuations(
  deletion: TopicDeletion,
  about: string,
  topic: Topic,
  mentions: readonly Turn[],
): Promise<Map<string, readonly string[]>> {
  const continuations = new Map<string, readonly string[]>()
  const isPerson = canBePerson(about, topic.hasName)
  const latest = mentions.toSorted((a, b) => b.position - a.position).slice(0, MAX_MENTIONS)
  for (const mention of latest) {
    await yieldToEventLoop()
    const following = turnsAfter(deletion, mention)
    const speakers = [mention, ...following].flatMap(({ speaker }) => (speaker ?? '').split(/\s+/))
    const knownNames = [...about.split(/[^\p{L}'-]+/u), ...speakers.filter((name) => name !== '')]
    if (!isOnlyAbout(mention.text, (sentence) => mentionsTopic(topic, sentence), knownNames)) continue
    let previous = mention
    for (const turn of following) {
      const sentences = mentionsTopic(topic, turn.text)
        ? []
        : findContinuation(turn, previous, knownNames, isPerson)
      if (sentences.length === 0) break
      continuations.set(turn.id, sentences)
      previous = turn
    }
  }
  return continuations
}

/** Returns the sentences of a turn that continue the previous turn: with a pronoun, as a question about it, or as an answer. */
function findContinuation(
  turn: Turn,
  previous: Turn,
  known: readonly string[],
  isPerson: boolean,
): readonly string[] {
  const sentences = continuingSentences(turn.text, known, isPerson)
  if (sentences.length > 0) return sentences
  if (turn.role === 'assistant') return questionSentences(turn.text, known)
  const isAnswer = previous.role === 'assistant' && questionSentences(previous.text, known).length > 0
  return isAnswer ? answerSentences(turn.text, known) : []
}

/** Returns the turns right after a turn, within its session and before the request. */
function turnsAfter({ row, state, before }: TopicDeletion, turn: Turn): Turn[] {
  const after = state.turnsAfter(row.scope, turn.position, { limit: MAX_CONTINUATIONS })
  const end = after.findIndex(
    ({ session, position }, index) =>
      session !== turn.session || position !== turn.position + index + 1 || position >= before,
  )
  return end < 0 ? after : after.slice(0, end)
}

/** Deletes continuations of the topic: their utterances, and the facts that have no other evidence. */
async function deleteContinuations(
  deletion: TopicDeletion,
  continuations: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const { state, changes, why } = deletion
  for (const { id } of listMemoriesOfTurns(deletion, continuations.keys())) {
    await yieldToEventLoop()
    const memory = changes.read(id)
    if (memory?.status !== 'live') continue
    const isOfTopic = memory.evidence.every(
      ({ turn, quote }) => quote !== null && continuations.get(turn)?.includes(quote) === true,
    )
    if (memory.form === 'fact' && isOfTopic)
      deleteMemory(changes, memory, why, (turn) => state.memoriesOfTurn(turn))
    if (memory.form !== 'utterance') continue
    const sources = [...(await readEvidenceTurns(deletion, [memory])).values()]
    deleteUtterance(deletion, memory, sources, (turn) => continuations.get(turn.id) ?? [])
  }
}

/** Forms that summarise turns. */
const SUMMARY_FORMS: readonly MemoryForm[] = ['summary', 'story', 'portrait']

/**
 * Removes the topic from summaries, the story and the portrait.
 *
 * @param removedTurns ids of turns that are removed completely
 */
async function removeFromSummaries(
  deletion: TopicDeletion,
  topic: Topic,
  removedTurns: ReadonlySet<string>,
): Promise<void> {
  const { engine, row, state, changes, why, before } = deletion
  const summaries = listLiveOf(deletion, SUMMARY_FORMS)
  // A story unit of rounds has no text, so the texts of its turns are read.
  const unquotedTurns = summaries.flatMap(({ text, evidence }) =>
    evidence.flatMap((source) => (source.quote === null && text === '' ? [source.turn] : [])),
  )
  const turns = await readTurns(engine, row.owner, unquotedTurns)
  const isBefore = (turn: string): boolean => (state.turns.get(turn)?.position ?? 0) < before
  for (const memory of summaries) {
    await yieldToEventLoop()
    const { text, evidence } = memory
    const mentions = evidence.filter(({ turn, quote }) => {
      if (!isBefore(turn)) return false
      return removedTurns.has(turn) || mentionsTopic(topic, quote ?? turns.get(turn)?.text ?? '')
    })
    const isOnlyInText = mentions.length === 0 && text !== '' && mentionsTopic(topic, text)
    // Extractive summaries quote their turns. A model wrote the others.
    const isByModel = evidence.some(({ quote }) => quote === null)
    const rest =
      isOnlyInText && isByModel ? withoutSentences(text, (sentence) => mentionsTopic(topic, sentence)) : null
    if (rest !== null) {
      changes.change('modify', memory.id, { text: rest }, why.origin)
      continue
    }
    const isAllBefore = evidence.every(({ turn }) => isBefore(turn))
    const removed = isOnlyInText && isAllBefore ? evidence : mentions
    removeTurns(changes, memory, new Set(removed.map(({ turn }) => turn)), why)
  }
}

/** Returns the memories of the scope that are live after the changes. Without forms, returns all of them. */
function listLiveOf({ row, state, changes }: TopicDeletion, forms?: readonly MemoryForm[]): Memory[] {
  return [...state.listMemories({ scopes: new Set([row.scope]) })].flatMap(({ id }) => {
    const memory = changes.read(id)
    return memory?.status === 'live' && (forms?.includes(memory.form) ?? true) ? [memory] : []
  })
}

/** Removes the topic from the agent's blocks. */
function removeFromBlocks({ row, state, changes, why }: TopicDeletion, topic: Topic): void {
  for (const { id } of state.memoriesOf(row.scope, 'block')) {
    const block = changes.read(id)
    if (block?.status === 'live') cutBlock(changes, block, (sentence) => mentionsTopic(topic, sentence), why)
  }
}

/** Removes past versions about the topic from memories that stay. */
async function removePastVersions(deletion: TopicDeletion, topic: Topic): Promise<void> {
  for (const { id, past } of listLiveOf(deletion)) {
    await yieldToEventLoop()
    const rest = past.filter(({ text, value }) => !mentionsTopic(topic, `${text} ${value ?? ''}`))
    if (rest.length < past.length) deletion.changes.change('modify', id, { past: rest }, deletion.why.origin)
  }
}

/** Removes quotes about the topic from facts and blocks that stay. */
async function removeQuotes(
  { row, state, changes, why, before }: TopicDeletion,
  topic: Topic,
): Promise<void> {
  const forms: readonly MemoryForm[] = ['fact', 'block']
  const stored = state.listMemories({ scopes: new Set([row.scope]), forms })
  const quoting = [...stored, ...changes.memories].filter(({ form }) => forms.includes(form))
  for (const id of new Set(quoting.map(({ id }) => id))) {
    await yieldToEventLoop()
    const { status, evidence = [] } = changes.read(id) ?? {}
    if (status !== 'live') continue
    const rest = evidence.map((source) => {
      const isBefore = (state.turns.get(source.turn)?.position ?? 0) < before
      return isBefore && source.quote !== null && mentionsTopic(topic, source.quote)
        ? { ...source, quote: null }
        : source
    })
    if (rest.some((source, index) => source !== evidence[index]))
      changes.change('modify', id, { evidence: rest }, why.origin)
  }
}

/** Deletes the utterance of the request, which contains the topic. */
export function deleteRequest({ state, changes, why }: TopicDeletion, turn: string): void {
  // If the agent's part of an utterance was deleted, the user's words are a new, uncommitted utterance.
  const ofTurn = [
    ...state.memoriesOfTurn(turn),
    ...changes.memories.filter((memory) => restsOn(memory, turn)),
  ]
  for (const id of new Set(ofTurn.map((memory) => memory.id))) {
    const memory = changes.read(id)
    if (memory?.form === 'utterance' && memory.status === 'live')
      deleteMemory(changes, memory, why, (id) => state.memoriesOfTurn(id))
  }
}

/** Deletes the agent's replies to a request that repeat its topic: "Of course, I've forgotten Tom." */
export async function deleteReplies(
  deletion: TopicDeletion,
  segment: Segment,
  about: readonly string[],
): Promise<void> {
  const { row, state, changes } = deletion
  for (const reply of segment.turns) {
    if (reply.role !== 'assistant') continue
    const before = state.userTurnBefore(row.scope, reply.position)
    if (before?.position !== reply.position - 1) continue
    const wasRequest = [...state.memoriesOfTurn(before.id)].some(({ id }) => {
      const memory = changes.read(id)
      return memory?.form === 'utterance' && memory.status === 'deleted' && memory.reason === ASKED_TO_FORGET
    })
    if (!wasRequest) continue
    const memory = state.utteranceOf(reply.id)
    if (memory === undefined || changes.read(memory.id)?.status !== 'live') continue
    // A reply may mention the topic in part, so any word of the request matches.
    const parts = [...about, ...about.flatMap(listNames), ...about.flatMap(findTerms)]
    const topic = readTopics(parts, deletion)
    if (sentencesAbout(topic, reply).length === 0) continue
    const sources = [...(await readEvidenceTurns(deletion, [memory])).values()]
    const select: SentenceSelector = (turn) => (turn.id === reply.id ? sentencesAbout(topic, turn) : [])
    deleteUtterance(deletion, memory, sources, select)
  }
}

/** Deletes an utterance that mentions the topic. If only the agent's statements do, the user's words become a new utterance. */
function deleteUtterance(
  { state, changes, why }: TopicDeletion,
  memory: Memory,
  turns: readonly Turn[],
  select: SentenceSelector,
): void {
  const remaining = turns.filter((turn) => select(turn).length === 0)
  const deleted = turns.filter((turn) => select(turn).length > 0)
  // A question of the agent explains the user's answer, so both are deleted.
  const isOnlyOfAgent = deleted.every(
    (turn) => turn.role === 'assistant' && !select(turn).some((sentence) => /[?？]\s*$/.test(sentence)),
  )
  if (deleted.length === 0 || !isOnlyOfAgent || !remaining.some((turn) => turn.role === 'user')) {
    deleteMemory(changes, memory, why, (turn) => state.memoriesOfTurn(turn))
    return
  }
  const { id: parent } = deleteAlone(changes, memory, why)
  const { id: _id, scope: _scope, origin, ...rest } = memory
  const ids = new Set(remaining.map((turn) => turn.id))
  const evidence = memory.evidence.filter((source) => ids.has(source.turn))
  changes.add({ ...rest, evidence }, { origin, parent })
}

function sentencesOf(turn: Turn): readonly string[] {
  return splitSentences(turn.text).map((sentence) => sentence.text)
}

/** Returns the sentences of a turn that mention a topic. If only the whole turn mentions it, returns all sentences. */
function sentencesAbout(topic: Topic, turn: Turn): readonly string[] {
  const sentences = sentencesOf(turn)
  const found = sentences.filter((sentence) => mentionsTopic(topic, sentence))
  return found.length === 0 && mentionsTopic(topic, turn.text) ? sentences : found
}
