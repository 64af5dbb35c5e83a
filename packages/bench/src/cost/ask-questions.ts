import { mean } from 'simple-statistics'
import type { ScopedMemory } from 'keepsake'
import type { BenchConversation, DatasetQuestion } from '../datasets/conversation.ts'

/** What recall returned for a question, and whether it contains the answer. */
export interface AskedQuestion {
  readonly question: string
  readonly category: string
  /** Tokens of the context for a reply. */
  readonly tokens: number
  readonly memories: number
  /** Turns behind the recalled memories. */
  readonly turns: number
  /** The share of the evidence (turns that answer the question) that is among these turns. `null`: nothing answers it. */
  readonly found: number | null
}

export interface AskOptions {
  readonly conversation: BenchConversation
  readonly questions: readonly DatasetQuestion[]
  /** Budget of the context. */
  readonly tokens: number
}

/** Recalls for each question from a filled memory, without reinforcing memories. */
export async function askQuestions(memory: ScopedMemory, options: AskOptions): Promise<AskedQuestion[]> {
  const { conversation, questions, tokens } = options
  const asked: AskedQuestion[] = []
  for (const question of questions) {
    const recall = await memory.recall(question.text, { now: question.askedAt, tokens, reinforce: false })
    // A portrait rests on all turns, so it would seem to contain every answer.
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

export function summariseRecalls(asked: readonly AskedQuestion[]) {
  if (asked.length === 0) return null
  const tokens = asked.map((question) => question.tokens).toSorted((a, b) => a - b)
  const found = asked.flatMap((question) => question.found ?? [])
  const share = (count: number): number => (found.length === 0 ? 0 : count / found.length)
  return {
    questions: asked.length,
    tokens: {
      mean: mean(tokens),
      p95: tokens[Math.ceil(tokens.length * 0.95) - 1] ?? 0,
      max: tokens.at(-1) ?? 0,
    },
    memories: mean(asked.map((question) => question.memories)),
    /** The more turns stand behind the recalled memories, the easier they contain the answer. */
    turns: mean(asked.map((question) => question.turns)),
    /** The shares of answerable questions for which some evidence, or all of it, was recalled. */
    evidence: {
      questions: found.length,
      any: share(found.filter((part) => part > 0).length),
      all: share(found.filter((part) => part === 1).length),
    },
  }
}
