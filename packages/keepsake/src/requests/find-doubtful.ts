// Finds sentences that a request to forget may mean too: what continues its topic by a pronoun, and people of the same name.
import { splitSentences } from '@keepsake/text'
import type { Evidence } from '../memories/evidence.ts'
import type { Memory } from '../memories/memory.ts'
import type { Turn } from '../turns/turn.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { flatMapInPieces } from '../yield-to-event-loop.ts'
import { listMemoriesOfTurns } from './find-targets.ts'
import { mentionsTopic, readTopics, type Topic } from './read-topic.ts'
import { beginsWithPronoun, mentionsOthers, namesOtherPerson } from './resolve-pronouns.ts'
import { findNamesOf, nameIn, nameTest } from './topic-names.ts'
import { relationIn } from './topic-relations.ts'

/** Maximum number of turns after a mention that may continue it. Chosen, not measured. */
const MAX_CONTINUATIONS = 6

/**
 * Finds the sentences of live memories that a request may mean besides what it deleted.
 *
 * @param before only turns before this position count
 */
export async function findDoubtful(
  unit: UnitOfWork,
  about: string,
  before: number,
): Promise<readonly Evidence[]> {
  const { row, state, changes } = unit
  const deleted = changes.memories.filter(
    ({ form, status }) => status === 'deleted' && (form === 'utterance' || form === 'fact'),
  )
  const ids = new Set(deleted.flatMap(({ evidence }) => evidence.map(({ turn }) => turn)))
  const mentions = [...ids]
    .flatMap((id) => state.turns.get(id) ?? [])
    .filter(({ role, position }) => role === 'user' && position < before)
  const texts = mentions.map(({ text }) => text)
  const names = relationIn(about) === null ? findNamesOf(about, texts) : [nameIn(about) ?? ''].filter(Boolean)
  const topic = readTopics([about, ...names])
  const found = await flatMapInPieces(mentions, ({ text, position }): readonly Evidence[] => {
    if (!endsWithTopic(topic, text)) return []
    const after = state.turnsAfter(row.scope, position, { upTo: before - 1, limit: MAX_CONTINUATIONS })
    return findContinuations(after, about)
  })
  const earlier = names.length === 0 ? [] : state.turnsAfter(row.scope, -1, { upTo: before - 1 })
  for (const name of names) found.push(...(await findNamesakes(earlier, name, about)))
  return flatMapInPieces(found, (source) =>
    ids.has(source.turn) || listMemoriesOf(unit, [source]).length === 0 ? [] : source,
  )
}

/** Checks whether a text mentions the topic and ends with it, so that a later pronoun may mean it. */
function endsWithTopic(topic: Topic, text: string): boolean {
  const last = splitSentences(text).at(-1)?.text ?? ''
  return mentionsTopic(topic, text) && (mentionsTopic(topic, last) || beginsWithPronoun(last))
}

/** Returns the sentences of the turns after a mention that begin with a pronoun, in the same session or in the next. */
function findContinuations(after: readonly Turn[], about: string): Evidence[] {
  const continuations: Evidence[] = []
  const known = about.split(/[^\p{L}'-]+/u)
  for (const turn of after) {
    const isContinuation = turn.role === 'user' && beginsWithPronoun(turn.text)
    if (isContinuation) continuations.push(...sentencesOf(turn).filter(beginsWithPronoun).map(quoteOf(turn)))
    if (mentionsOthers(turn.text, known) || !(isContinuation || turn.role === 'assistant')) break
  }
  return continuations
}

/** Returns the user's sentences that have a name but introduce no one, so that they may be about a namesake. */
function findNamesakes(turns: readonly Turn[], name: string, about: string): Promise<Evidence[]> {
  const isNamed = nameTest(name)
  const isNamesake = (text: string): boolean => isNamed(text) && !namesOtherPerson(text, name, about)
  const plain = name.toLowerCase()
  return flatMapInPieces(turns, (turn): readonly Evidence[] => {
    const isPossible = turn.role === 'user' && turn.text.toLowerCase().includes(plain)
    if (!isPossible || !isNamesake(turn.text)) return []
    return sentencesOf(turn).filter(isNamesake).map(quoteOf(turn))
  })
}

/** Returns the live utterances of the turns, and the facts that rest on these sentences only. */
export function listMemoriesOf(unit: UnitOfWork, sentences: readonly Evidence[]): Memory[] {
  const quotes = new Set(sentences.map(({ quote }) => quote))
  return listMemoriesOfTurns(
    unit,
    sentences.map(({ turn }) => turn),
  ).filter(
    ({ form, evidence }) =>
      form === 'utterance' || (form === 'fact' && evidence.every(({ quote }) => quotes.has(quote))),
  )
}

const sentencesOf = ({ text }: Turn): string[] => splitSentences(text).map((sentence) => sentence.text)
const quoteOf =
  ({ id: turn }: Turn) =>
  (quote: string): Evidence => ({ turn, quote })
