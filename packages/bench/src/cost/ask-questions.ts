import { mean } from 'simple-statistics'
import type { ScopedMemory } from 'keepsake'
import type { BenchConversation, DatasetQuestion } from '../datasets/conversation.ts'

/** A question, what recall handed over for it, and whether that holds the answer. */
export interface AskedQuestion {
  readonly question: string
  readonly category: string
  /** Tokens of the context handed to a reply. */
  readonly tokens: number
  readonly memories: number
  /** Turns behind the recalled memories. */
  readonly turns: number
  /** Share of the turns that answer it that are among them; `null` where nothing answers it. */
  readonly found: number | null
}

export interface AskOptions {
  readonly conversation: BenchConversation
  readonly questions: readonly DatasetQuestion[]
  /** Budget of the context. */
  readonly tokens: number
}

/** Puts questions to a filled memory, without reinforcement. */
export async function askQuestions(memory: ScopedMemory, options: AskOptions): Promise<AskedQuestion[]> {
  const { conversation, questions, tokens } = options
  const asked: AskedQuestion[] = []
  for (const question of questions) {
    const recall = await memory.recall(question.text, { now: question.askedAt, tokens, reinforce: false })
    // Everything said so far stands behind a portrait: that would find every answer.
    const memories = recall.memories.filter((recalled) => recalled.memory.form !== 'portrait')
    const turns = new Set(memories.flatMap(({ evidence }) => evidence.map(({ turn }) => turn)))
    const units = new Set([...turns].map((turn) => conversation.unitOf.get(turn) ?? turn))
    const { evidence } = question
    asked.push({
      question: question.id,
      category: question.category,
      tokens: recall.context.tokens,
      memories: recall.memories.length,
      turns: turns.size,
      found:
        question.answerable && evidence.length > 0
          ? evidence.filter((unit) => units.has(unit)).length / evidence.length
          : null,
    })
  }
  return asked
}

/** Aggregates recalls over all questions; `null` without questions. */
export function summariseRecalls(asked: readonly AskedQuestion[]) {
  if (asked.length === 0) return null
  const tokens = asked.map((one) => one.tokens).toSorted((one, other) => one - other)
  const found = asked.flatMap((one) => one.found ?? [])
  const share = (count: number): number => (found.length === 0 ? 0 : count / found.length)
  return {
    questions: asked.length,
    tokens: {
      mean: mean(tokens),
      p95: tokens[Math.ceil(tokens.length * 0.95) - 1] ?? 0,
      max: tokens.at(-1) ?? 0,
    },
    memories: mean(asked.map((one) => one.memories)),
    /** More turns behind the recalled memories make it easier to contain the answer. */
    turns: mean(asked.map((one) => one.turns)),
    /** Of the answerable questions, the shares with any, and with all, evidence turns recalled. */
    evidence: {
      questions: found.length,
      any: share(found.filter((part) => part > 0).length),
      all: share(found.filter((part) => part === 1).length),
    },
  }
}
