// Makes examples for fit-confidence.ts: questions to a memory, each with whether the memory has its answer.
import type {
  BenchConversation,
  DatasetQuestion,
  DatasetTurn,
} from '../../../packages/bench/src/datasets/conversation.ts'
import { HYBRID, SearchIndex } from '@keepsake/search'
import { analyseText, embeddedWordVectors, findTerms } from '@keepsake/text'
import {
  readConfidenceTraits,
  type ConfidenceTraits,
} from '../../../packages/keepsake/src/retrieval/confidence-traits.ts'
import { findOtherNames } from '../../../packages/keepsake/src/entities/same-name.ts'
import { AnalysedTexts } from '../../../packages/keepsake/src/user-state/analysed-text.ts'
import {
  readQuestionFor,
  searchIndex,
  textsBeforeTurn,
  textsWithWord,
} from '../../../packages/keepsake/src/retrieval/search-question.ts'

/** A question put to a memory that has its answer or lacks it. */
export interface ConfidenceExample {
  /** Data set and way of asking. The report has one row for each set. */
  readonly set: string
  /** Examples with the same value are omitted together from a fit. */
  readonly person: string
  readonly traits: ConfidenceTraits
  readonly isKnown: boolean
}

/** An index of only turns, which is all that ranking needs of a memory. */
export interface TalkIndex {
  readonly index: SearchIndex
  readonly texts: ReadonlyMap<string, string>
  readonly user: string
}

const embedder = embeddedWordVectors()
const analysed = new AnalysedTexts()
const vectors = new Map<string, Float32Array>()
/** Maximum hits of a search. The traits use only the first few. */
const HITS = 20
/** Categories of everyday questions that another person's talk may also answer, or that share no word with their answer. */
const UNSUITABLE_CATEGORIES = new Set(['overview', 'when', 'changed', 'reworded', 'agent', 'false-premise'])
/** Maximum number of other people's questions for each memory. */
const MAX_FOREIGN_QUESTIONS = 40
const SHORT_TALK_TURNS = { min: 5, max: 20 } as const

function vectorOf(text: string): Float32Array {
  const cached = vectors.get(text)
  if (cached !== undefined) return cached
  const vector = embedder.embedNow(text)
  vectors.set(text, vector)
  return vector
}

/** Adds turns to a new index in their order. */
export function indexTurns(
  sessions: readonly { readonly id: string; readonly turns: readonly DatasetTurn[] }[],
  user: string,
): TalkIndex {
  const index = new SearchIndex()
  const texts = new Map<string, string>()
  let position = 0
  for (const { id: session, turns } of sessions) {
    for (const { id, role, speaker, text, at } of turns) {
      texts.set(id, text)
      const named = (speaker as string | undefined) ?? null
      const document = {
        id,
        kind: 'turn',
        scope: 1,
        session,
        position: ++position,
        role,
        speaker: named,
        at,
      } as const
      index.add({ ...document, ...analyseText(text), vector: vectorOf(text) })
    }
  }
  return { index, texts, user }
}

function ask(talk: TalkIndex, text: string, now: number): ConfidenceTraits {
  const names = { self: [talk.user], agent: [] }
  const read = readQuestionFor(talk.index, text, { now, names })
  const question = { read, vector: vectorOf(read.about) }
  const { evidence } = searchIndex(talk.index, question, HYBRID, { limit: HITS, now })
  const textOf = (id: string): string => talk.texts.get(id) ?? ''
  return readConfidenceTraits(read, evidence, {
    textOf,
    statementsOf: (id) => analysed.of(textOf(id)).statements,
    textsBefore: (id) => textsBeforeTurn(talk.index, id, textOf),
    self: names.self,
    holds: (word) => talk.index.turnsWith(findTerms(word)).length > 0,
    otherNames: (words) =>
      findOtherNames(
        words,
        words.flatMap((word) => textsWithWord(talk.index, word, textOf)),
      ),
  })
}

/** Returns the questions of a conversation, put to its own memory. */
export function ownExamples(conversation: BenchConversation, set: string): ConfidenceExample[] {
  const talk = indexTurns(conversation.sessions, conversation.user)
  return conversation.questions
    .filter(({ evidence, answerable }) => evidence.length > 0 || !answerable)
    .map((question) => ({
      set,
      person: conversation.person,
      traits: ask(talk, question.text, question.askedAt),
      isKnown: question.answerable,
    }))
}

/** Returns questions of other people, put to this memory with this person's name. The memory does not have their answers. */
export function foreignExamples(
  conversation: BenchConversation,
  all: readonly BenchConversation[],
  set: string,
): ConfidenceExample[] {
  const talk = indexTurns(conversation.sessions, conversation.user)
  const others = all
    .filter(({ person }) => person !== conversation.person)
    .flatMap(({ person, questions }) => questions.filter(isSuitable).map(({ text }) => ({ person, text })))
  const step = Math.max(1, Math.floor(others.length / MAX_FOREIGN_QUESTIONS))
  const now = conversation.questions[0]?.askedAt ?? 0
  return others
    .filter((_, place) => place % step === 0)
    .map(({ person, text }) => ({
      set,
      person: conversation.person,
      traits: ask(talk, text.replaceAll(new RegExp(person, 'gi'), conversation.person), now),
      isKnown: false,
    }))
}

function isSuitable({ answerable, evidence, category }: DatasetQuestion): boolean {
  return answerable && evidence.length > 0 && !UNSUITABLE_CATEGORIES.has(category)
}

/** Puts each question to two short memories: 5 to 20 turns with the evidence, and as many turns from elsewhere in the talk. */
export function shortExamples(conversation: BenchConversation, set: string): ConfidenceExample[] {
  const turns = conversation.sessions.flatMap((session) =>
    session.turns.map((turn) => ({ ...turn, session: session.id })),
  )
  return conversation.questions.filter(isSuitable).flatMap((question, number): ConfidenceExample[] => {
    const at = turns.findIndex(({ id }) => question.evidence.includes(id))
    const length = SHORT_TALK_TURNS.min + ((number * 7) % (SHORT_TALK_TURNS.max - SHORT_TALK_TURNS.min + 1))
    const start = Math.max(0, at - ((number * 3) % length))
    const elsewhere = (start + Math.floor(turns.length / 2)) % Math.max(1, turns.length - length)
    return [start, elsewhere].map((from) => {
      const part = turns.slice(from, from + length)
      const sessions = [...Map.groupBy(part, ({ session }) => session)].map(([id, said]) => ({
        id,
        turns: said,
      }))
      const talk = indexTurns(sessions, conversation.user)
      const traits = ask(talk, question.text, question.askedAt)
      return {
        set,
        person: conversation.person,
        traits,
        isKnown: part.some(({ id }) => question.evidence.includes(id)),
      }
    })
  })
}
