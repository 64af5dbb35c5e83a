import type { Memory, Turn } from 'keepsake'
import { analyseText, splitSentences } from '@keepsake/text'
import { sessionMemoryWriter } from '@keepsake/papers'
import { makeExample, type CheckedExample } from '../examples/example.ts'
import { questionOf } from '../examples/ask-engine.ts'
import { talkOf, type Life } from './life.ts'
import { readSessionMemory } from './labelled-parts.ts'
import { writtenBy, type Written } from './written.ts'

/** The length that the engine's own presets ask for. Not every version of the prompt mentions it. */
const MAX_CHARACTERS = 700
/** The evidence of a sentence is the turns that share at least this part of its words. */
const SHARE_OF_WORDS = 0.25

/** Examples of COMEDY's task 1. Sentences get the turns of the memory's evidence whose words they share, or else all. */
export async function sessionMemoryExamples(life: Life): Promise<CheckedExample[]> {
  const summaries = writtenBy(life, 'summary', 'session-memory/')
  const examples = await Promise.all(summaries.map((summary) => exampleOf(life, summary)))
  return examples.flatMap((one) => one ?? [])
}

async function exampleOf(life: Life, { memory, before, by }: Written): Promise<CheckedExample | null> {
  const turns = talkOf(life, memory.session)
  if (turns.length === 0) return null
  const sources = turns.map((turn) => ({ ...turn, turn: turn.id }))
  const question = await questionOf((ask) =>
    sessionMemoryWriter().summarise(sources, { ask, maxCharacters: MAX_CHARACTERS, before: '' }),
  )
  const right = answerOf(memory.text, memory, turns)
  if (question === null || right === null) return null
  return makeExample('session-memory', question, {
    answer: right,
    worse: before === null ? null : answerOf(before, memory, turns),
    by,
    isEmpty: false,
    basis: { turns: turns.map(({ id }) => id), memories: [memory.id] },
  })
}

function answerOf(text: string, memory: Memory, turns: readonly Turn[]) {
  const parts = readSessionMemory(text)
  if (parts === null) return null
  const evidence = new Set(memory.evidence.map(({ turn }) => turn))
  const lines = turns
    .map((turn, at) => ({ number: at + 1, turn }))
    .filter(({ turn }) => evidence.has(turn.id))
  const textOf = (part: string) =>
    splitSentences(part).map((sentence) => ({ text: sentence.text, turns: linesOf(sentence.text, lines) }))
  return {
    outcome: 'memory',
    events: textOf(parts.events),
    user: textOf(parts.user),
    agent: textOf(parts.agent),
  }
}

function linesOf(
  sentence: string,
  lines: readonly { readonly number: number; readonly turn: Turn }[],
): number[] {
  const words = new Set(analyseText(sentence).terms)
  const shared = lines.filter(({ turn }) => {
    const common = new Set(analyseText(turn.text).terms.filter((term) => words.has(term)))
    return common.size > 0 && common.size >= SHARE_OF_WORDS * words.size
  })
  return (shared.length > 0 ? shared : lines).map(({ number }) => number)
}
