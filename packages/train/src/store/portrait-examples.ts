import type { Memory } from 'keepsake'
import { wholeCompressor } from '@keepsake/papers'
import { embeddedWordVectors } from '@keepsake/text'
import { portraitCompressor } from 'keepsake/preset'
import { makeExample, type CheckedExample } from '../examples/make-example.ts'
import { questionOf } from '../examples/ask-engine.ts'
import { talkOf, type Life } from './life.ts'
import { readPortrait } from './labelled-parts.ts'
import { writtenBy, type Written } from './written.ts'

/** Prompts that write a portrait: from all sessions, or from the last portrait and the sessions since. */
const MODES = [
  ['compress-portrait/', 'whole'],
  ['renew-portrait/', 'incremental'],
] as const

/** Examples of COMEDY's task 2: session memories are compressed into a portrait, either all of them or those since the last portrait. */
export async function portraitExamples(life: Life): Promise<CheckedExample[]> {
  const all = MODES.flatMap(([prompt, mode]) =>
    writtenBy(life, 'portrait', prompt).map((written) => ({ mode, written })),
  )
  const examples: (CheckedExample | null)[] = []
  for (const { mode, written } of all) examples.push(await exampleOf(life, written, mode))
  return examples.flatMap((one) => one ?? [])
}

async function exampleOf(
  life: Life,
  { memory, before, by }: Written,
  mode: 'whole' | 'incremental',
): Promise<CheckedExample | null> {
  const last = mode === 'whole' ? null : portraitBefore(life, memory)
  const known = new Set(last?.sources)
  const sessions = memory.sources.flatMap((id) => (known.has(id) ? [] : (life.memories.get(id) ?? [])))
  const embedding = embeddedWordVectors()
  const compressor = mode === 'whole' ? wholeCompressor() : portraitCompressor()
  // The compressor runs with a model that only records the request. The stored portrait is the answer to it.
  const question = await questionOf((ask) =>
    compressor.compress(
      { previous: last?.text ?? null, sessions, turns: talkOf(life, memory.session) },
      { ask, embedding },
    ),
  )
  const right = readPortrait(memory.text)
  if (question === null || right === null) return null
  // The incremental prompt asks for the outcome as well: whether there is a new portrait at all.
  const answerWith = (parts: object | null) =>
    parts !== null && question.asksOutcome ? { outcome: 'portrait', ...parts } : parts
  return makeExample('compression', question, {
    answer: answerWith(right),
    worse: before === null ? null : answerWith(readPortrait(before)),
    by,
    isEmpty: false,
    basis: {
      turns: memory.evidence.map(({ turn }) => turn),
      memories: [memory.id, ...memory.sources, ...(last === null ? [] : [last.id])],
    },
  })
}

function portraitBefore(life: Life, portrait: Memory): Memory | null {
  const earlier = [...life.memories.values()].filter(
    ({ form, validFrom, id }) => form === 'portrait' && id !== portrait.id && validFrom <= portrait.validFrom,
  )
  return earlier.sort((one, other) => one.validFrom - other.validFrom).at(-1) ?? null
}
