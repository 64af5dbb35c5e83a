import type { Extraction, Segment } from '../extraction/extractor.ts'
import { personaRules } from '../extraction/rules/persona-rules.ts'
import { embeddedArousal } from '../importance/arousal.ts'
import { standInImportance } from '../importance/stand-in-importance.ts'
import { embeddedSurprise } from '../importance/surprise.ts'
import type { Signals } from '../memories/memory.ts'
import { analyseText, embeddedWordVectors, maskSecrets, maskUnspoken, type MaskedText } from '@keepsake/text'

/** Words of a round by who said them. */
export interface RoundWords {
  readonly user: string
  readonly agent: string
}

/** Pure pieces of reading, which any thread can do: values in, values out. */
export type ReadingTask =
  | {
      readonly kind: 'signals'
      readonly words: readonly RoundWords[]
      /** What the user said before, oldest first. */
      readonly history: readonly string[]
      /** How much of it counts. */
      readonly historyLength: number
    }
  | { readonly kind: 'facts'; readonly segment: Segment }
  | { readonly kind: 'secrets'; readonly text: string }
  | { readonly kind: 'document'; readonly text: string }
  | { readonly kind: 'unspoken'; readonly text: string }

/** What an index stores of a text. */
export interface ReadDocument {
  readonly terms: ReturnType<typeof analyseText>
  readonly vector: Float32Array | null
}

export interface ReadingResults {
  readonly signals: Signals[]
  readonly facts: Extraction
  readonly secrets: MaskedText
  readonly document: ReadDocument
  readonly unspoken: string
}

const arousal = embeddedArousal()
const surprise = embeddedSurprise()
const importance = standInImportance()
const rules = personaRules()
const vectors = embeddedWordVectors()

/** Does one, with the models and rules that come with the package. */
export async function doReading(task: ReadingTask): Promise<ReadingResults[ReadingTask['kind']]> {
  switch (task.kind) {
    case 'facts':
      return rules.extract(task.segment)
    case 'secrets':
      return maskSecrets(task.text)
    case 'document':
      return { terms: analyseText(task.text), vector: vectors.embedNow?.(task.text) ?? null }
    case 'unspoken':
      return maskUnspoken(task.text)
    case 'signals':
      return readSignals(task)
  }
}

async function readSignals({
  words,
  history: before,
  historyLength,
}: Extract<ReadingTask, { kind: 'signals' }>): Promise<Signals[]> {
  const history = [...before]
  const felt = arousal.arousal(words.map(({ user }) => user))
  const signals: Signals[] = []
  for (const [place, { user, agent }] of words.entries()) {
    signals.push({
      arousal: felt[place] ?? null,
      surprise: surprise.surprise(user, { previous: agent, history: history.slice(-historyLength) }),
      importance: await importance.importance(user, { summary: '' }),
    })
    history.push(user)
  }
  return signals
}
