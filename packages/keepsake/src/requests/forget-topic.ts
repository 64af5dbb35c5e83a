import { continuingSentences, isOnlyAbout, mayBePerson } from './continue-topic.ts'
import { tellsOf } from './match-request.ts'
import type { Topic } from './read-topic.ts'
import { deleteAlone, deleteMemory, withdrawTurns, type DeletionReason } from '../memories/delete-memory.ts'
import { withoutSentences } from '../memories/withdraw-words.ts'
import type { Memory } from '../memories/memory.ts'
import { splitSentences } from '../text/split-sentences.ts'
import type { Turn } from '../turns/turn.ts'
import { TurnReader } from '../work/read-memories.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'

/** Where and why something is forgotten. */
export interface Forgetting extends UnitOfWork {
  readonly why: DeletionReason
  /** Only what was said before this position is meant. */
  readonly before: number
}

/** Turns a pronoun is followed for: two rounds, after which talk has usually moved on. */
const LONGEST_CHAIN = 4
/** Turns that tell of the topic from which pronouns are followed, the latest. */
const MOST_CHAINS = 100

/** Sentences by turn that go on about the topic by a pronoun, in the turns right after those that tell of it. */
export async function followTopic(
  given: Forgetting,
  about: string,
  topic: Topic,
  telling: readonly Turn[],
): Promise<Map<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  if (!mayBePerson(about, topic.isName)) return found
  const latest = [...telling].sort((one, other) => other.position - one.position).slice(0, MOST_CHAINS)
  for (const turn of latest) {
    const next = await turnsAfter(given, turn)
    const known = [...about.split(/[^\p{L}'-]+/u), ...namesOf([turn, ...next])]
    if (!isOnlyAbout(turn.text, (sentence) => tellsOf(topic, sentence), known)) continue
    for (const one of next) {
      const sentences = tellsOf(topic, one.text) ? [] : continuingSentences(one.text, known)
      if (sentences.length === 0) break
      found.set(one.id, sentences)
    }
  }
  return found
}

/** The turns right after one, of its session and before the request. */
async function turnsAfter({ engine, row, before }: Forgetting, turn: Turn): Promise<Turn[]> {
  const after = await engine.store.turns({
    owner: row.owner,
    scopes: [row.scope],
    afterPosition: turn.position,
    limit: LONGEST_CHAIN,
  })
  const end = after.findIndex(
    (one, index) =>
      one.session !== turn.session || one.position !== turn.position + index + 1 || one.position >= before,
  )
  return end < 0 ? after : after.slice(0, end)
}

function namesOf(turns: readonly Turn[]): string[] {
  return turns.flatMap((turn) => (turn.speaker ?? '').split(/\s+/)).filter((name) => name !== '')
}

/** Which sentences of a turn tell of what is forgotten. */
export type Telling = (turn: Turn) => readonly string[]

/**
 * Drops an utterance that tells of the topic. Where only the agent's part does, and asks nothing the user answers,
 * the user's own words are kept as an utterance of their own.
 */
export function dropUtterance(
  { cache, changes, why }: Forgetting,
  memory: Memory,
  turns: readonly Turn[],
  telling: Telling,
): void {
  const kept = turns.filter((turn) => telling(turn).length === 0)
  const gone = turns.filter((turn) => telling(turn).length > 0)
  const isOfAgent =
    kept.some((turn) => turn.role === 'user') &&
    gone.every((turn) => turn.role === 'agent' && !telling(turn).some((one) => /[?？]\s*$/.test(one)))
  const resting = (turn: string) => cache.memoriesOfTurn(turn)
  if (!isOfAgent || gone.length === 0) {
    deleteMemory(changes, memory, why, resting)
    return
  }
  const { id: parent } = deleteAlone(changes, memory, why)
  const { id: _id, scope: _scope, origin, ...rest } = memory
  const ids = new Set(kept.map((turn) => turn.id))
  const evidence = memory.evidence.filter((one) => ids.has(one.turn))
  changes.add({ ...rest, evidence }, { origin, parent })
}

/** Forms that tell of turns in words of their own, or in quotes. */
const TOLD: ReadonlySet<Memory['form']> = new Set(['summary', 'story', 'portrait'])

/** Takes the topic out of summaries and of the story, also where a turn's own utterance went before. */
export async function withdrawTopic(
  given: Forgetting,
  topic: Topic,
  following: ReadonlySet<string>,
): Promise<void> {
  const { engine, row, cache, changes, why, before } = given
  const told = [...cache.memories({ scopes: new Set([row.scope]) })].flatMap(({ id }) => {
    const memory = changes.read(id)
    return memory?.status === 'live' && TOLD.has(memory.form) ? [memory] : []
  })
  const unquoted = told.flatMap((memory) =>
    memory.evidence.flatMap((one) => (one.quote === null && memory.text === '' ? [one.turn] : [])),
  )
  const turns = await new TurnReader(engine, row.owner).read(unquoted)
  for (const memory of told) {
    const telling = memory.evidence.filter(({ turn, quote }) => {
      if ((cache.turn(turn)?.position ?? 0) >= before) return false
      return following.has(turn) || tellsOf(topic, quote ?? turns.get(turn)?.text ?? '')
    })
    const isTold = telling.length === 0 && memory.text !== '' && tellsOf(topic, memory.text)
    const isFromBefore = memory.evidence.every(({ turn }) => (cache.turn(turn)?.position ?? 0) < before)
    const isWritten = memory.evidence.some((one) => one.quote === null)
    const rest = isTold && isWritten ? withoutSentences(memory.text, (one) => tellsOf(topic, one)) : null
    if (rest !== null) {
      changes.change('modify', memory.id, { text: rest }, why.origin)
      continue
    }
    const gone = isTold && isFromBefore ? memory.evidence : telling
    withdrawTurns(changes, memory, new Set(gone.map(({ turn }) => turn)), why)
  }
}

/** Sentences of a turn that tell of a topic; all of them when only together they do. */
export function tellingSentences(topic: Topic, turn: Turn): readonly string[] {
  const sentences = splitSentences(turn.text).map((sentence) => sentence.text)
  const telling = sentences.filter((sentence) => tellsOf(topic, sentence))
  return telling.length === 0 && tellsOf(topic, turn.text) ? sentences : telling
}
