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
/** Minimum share of a sentence's words that a turn must contain to be evidence of the sentence. */
const MIN_SHARED_WORDS = 0.25

/** Makes examples of task 1 of the COMEDY paper: a session is summarised as sentences, each with the numbers of its turns. */
export async function sessionMemoryExamples(life: Life): Promise<CheckedExample[]> {
  const summaries = writtenBy(life, 'summary', 'session-memory/')
  const examples = await Promise.all(summaries.map((summary) => exampleOf(life, summary)))
  return examples.filter((example) => example !== null)
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
  const numberedTurns = turns
    .map((turn, index) => ({ number: index + 1, turn }))
    .filter(({ turn }) => evidence.has(turn.id))
  const sentencesOf = (part: string) =>
    splitSentences(part).map(({ text: sentence }) => ({
      text: sentence,
      turns: findEvidence(sentence, numberedTurns),
    }))
  return {
    outcome: 'memory',
    events: sentencesOf(parts.events),
    user: sentencesOf(parts.user),
    agent: sentencesOf(parts.agent),
  }
}

/** Returns the numbers of the turns whose words a sentence shares, or of all turns if it shares none. */
function findEvidence(
  sentence: string,
  turns: readonly { readonly number: number; readonly turn: Turn }[],
): number[] {
  const words = new Set(analyseText(sentence).terms)
  const sharing = turns.filter(({ turn }) => {
    const shared = new Set(analyseText(turn.text).terms.filter((term) => words.has(term)))
    return shared.size > 0 && shared.size >= MIN_SHARED_WORDS * words.size
  })
  return (sharing.length > 0 ? sharing : turns).map(({ number }) => number)
}
