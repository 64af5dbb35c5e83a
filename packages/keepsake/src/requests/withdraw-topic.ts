import { withdrawTurns } from '../memories/delete-memory.ts'
import type { Memory } from '../memories/memory.ts'
import { withoutSentences } from '../memories/withdraw-words.ts'
import { TurnReader } from '../work/read-memories.ts'
import type { Forgetting } from './forget-topic.ts'
import { tellsOf, type Topic } from './read-topic.ts'

/** Forms that describe turns in new words or quotes. */
const TOLD: ReadonlySet<Memory['form']> = new Set(['summary', 'story', 'portrait'])

/** Takes the topic out of summaries and of the story, also where a turn's own utterance went before. */
export async function withdrawTopic(
  given: Forgetting,
  topic: Topic,
  following: ReadonlySet<string>,
): Promise<void> {
  const { engine, row, state, changes, why, before } = given
  const told = [...state.listMemories({ scopes: new Set([row.scope]) })].flatMap(({ id }) => {
    const memory = changes.read(id)
    return memory?.status === 'live' && TOLD.has(memory.form) ? [memory] : []
  })
  const unquoted = told.flatMap((memory) =>
    memory.evidence.flatMap((one) => (one.quote === null && memory.text === '' ? [one.turn] : [])),
  )
  const turns = await new TurnReader(engine, row.owner).read(unquoted)
  for (const memory of told) {
    const telling = memory.evidence.filter(({ turn, quote }) => {
      if ((state.turns.get(turn)?.position ?? 0) >= before) return false
      return following.has(turn) || tellsOf(topic, quote ?? turns.get(turn)?.text ?? '')
    })
    const isTold = telling.length === 0 && memory.text !== '' && tellsOf(topic, memory.text)
    const isFromBefore = memory.evidence.every(({ turn }) => (state.turns.get(turn)?.position ?? 0) < before)
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
