import type { Memory } from 'keepsake'
import { wholeCompressor } from '@keepsake/papers'
import { embeddedWordVectors } from '@keepsake/text'
import { portraitCompressor } from 'keepsake/preset'
import { questionOf } from '../examples/ask-engine.ts'
import { makeExample, type CheckedExample } from '../examples/example.ts'
import { readPortrait } from './labelled-parts.ts'
import { talkOf, type Life } from './life.ts'
import { writtenBy, type Written } from './written.ts'

/** Makes examples of task 2 of the COMEDY paper: session memories are compressed into a portrait of the user. */
export async function portraitExamples(life: Life): Promise<CheckedExample[]> {
  const examples: (CheckedExample | null)[] = []
  for (const written of writtenBy(life, 'portrait', 'compress-portrait/'))
    examples.push(await exampleOfWhole(life, written))
  for (const written of writtenBy(life, 'portrait', 'renew-portrait/'))
    examples.push(await exampleOfRenewed(life, written))
  return examples.filter((example) => example !== null)
}

/** Makes the example of a portrait that was written from all session memories. */
function exampleOfWhole(life: Life, written: Written): Promise<CheckedExample | null> {
  return exampleOf(life, written, { compressor: wholeCompressor(), previous: null })
}

/** Makes the example of a portrait that was written from the last portrait and the session memories since then. */
function exampleOfRenewed(life: Life, written: Written): Promise<CheckedExample | null> {
  const previous = portraitBefore(life, written.memory)
  return exampleOf(life, written, { compressor: portraitCompressor(), previous })
}

interface Compression {
  /** The step of the engine that asks a model for the portrait. */
  readonly compressor: Pick<ReturnType<typeof portraitCompressor>, 'compress'>
  /** The portrait that the model also reads, or `null`. */
  readonly previous: Memory | null
}

async function exampleOf(
  life: Life,
  { memory: portrait, before, by }: Written,
  { compressor, previous }: Compression,
): Promise<CheckedExample | null> {
  const knownSources = new Set(previous?.sources)
  const newSources = portrait.sources.filter((id) => !knownSources.has(id))
  const input = {
    previous: previous?.text ?? null,
    sessions: newSources.flatMap((id) => life.memories.get(id) ?? []),
    turns: talkOf(life, portrait.session),
  }
  const question = await questionOf((ask) =>
    compressor.compress(input, { ask, embedding: embeddedWordVectors() }),
  )
  const parts = readPortrait(portrait.text)
  if (question === null || parts === null) return null
  const partsBefore = before === null ? null : readPortrait(before)
  // The prompt that renews a portrait also asks whether there is a new portrait at all.
  const answerOf = (content: object) => (question.asksOutcome ? { outcome: 'portrait', ...content } : content)
  const previousIds = previous === null ? [] : [previous.id]
  return makeExample('compression', question, {
    answer: answerOf(parts),
    worse: partsBefore === null ? null : answerOf(partsBefore),
    by,
    isEmpty: false,
    basis: {
      turns: portrait.evidence.map(({ turn }) => turn),
      memories: [portrait.id, ...portrait.sources, ...previousIds],
    },
  })
}

/** Returns the latest portrait before another one, or `null` if the other is the first. */
function portraitBefore(life: Life, portrait: Memory): Memory | null {
  const earlier = [...life.memories.values()].filter(
    ({ form, validFrom, id }) => form === 'portrait' && id !== portrait.id && validFrom <= portrait.validFrom,
  )
  return earlier.toSorted((one, other) => one.validFrom - other.validFrom).at(-1) ?? null
}
