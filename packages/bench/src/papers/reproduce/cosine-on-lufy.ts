import type { EmbeddingModel } from 'keepsake'
import { embeddedWordVectors } from '@keepsake/text'
import type { BenchConversation } from '../../datasets/conversation.ts'
import { loadLufy } from '../../datasets/lufy.ts'
import { harmonicMean } from '../../metrics/text/overlap.ts'
import type { HereFigure, Measured, PaperAsked, Reproduction } from '../registry/paper.ts'
import type { BenchContext } from '../../benchmark/benchmark.ts'
import { counted } from './here-figure.ts'
import { dot, NO_VECTOR } from '../../metrics/means.ts'

interface Found {
  readonly question: string
  readonly cosine: number
  readonly isRight: boolean
}

/** LUFY, appendix D: ten memories are found for each question. */
const FOUND = 10
const BIN = 0.05
const STEPS = Array.from({ length: 20 }, (_, step) => Math.round(step * BIN * 100) / 100)

/** LUFY's Figure 10: right and wrong memories among the ten nearest, by their cosine with the question. */
export const cosineBins: Reproduction['measure'] = (asked, context) =>
  measure(asked, context, (found) =>
    STEPS.flatMap((from): HereFigure[] => {
      const own = found.filter(({ cosine }) => cosine >= from && cosine < from + BIN)
      const right = own.filter(({ isRight }) => isRight).length
      if (own.length === 0) return []
      const row = `cosine ${from.toFixed(2)} to ${(from + BIN).toFixed(2)}`
      const place = { row, beside: null } as const
      return [
        counted({ ...place, column: 'right', unit: 'count' }, right, own.length),
        counted({ ...place, column: 'wrong', unit: 'count' }, own.length - right, own.length),
        counted({ ...place, column: 'right share', unit: 'percent' }, (right / own.length) * 100, own.length),
      ]
    }),
  )

/** LUFY's Figure 11: precision, recall and F1 above each threshold. */
export const cosineThresholds: Reproduction['measure'] = (asked, context) =>
  measure(asked, context, (found) => {
    const questions = new Set(found.map(({ question }) => question)).size
    return STEPS.flatMap((threshold): HereFigure[] => {
      const over = found.filter(({ cosine }) => cosine >= threshold)
      if (over.length === 0) return []
      const right = over.filter(({ isRight }) => isRight)
      const precision = right.length / over.length
      const recall = new Set(right.map(({ question }) => question)).size / questions
      const place = { row: `cosine at least ${threshold.toFixed(2)}`, beside: null, unit: 'percent' } as const
      return [
        counted({ ...place, column: 'Precision' }, precision * 100, over.length),
        counted({ ...place, column: 'Recall' }, recall * 100, questions),
        counted({ ...place, column: 'F1' }, harmonicMean(precision, recall) * 100, questions),
      ]
    })
  })

async function measure(
  { path, embedding: spec }: PaperAsked,
  { openEmbedding }: BenchContext,
  tell: (found: readonly Found[]) => HereFigure[],
): Promise<Measured> {
  const { conversations, dataHash } = await loadLufy(path)
  const embedding = spec === undefined ? embeddedWordVectors() : await openEmbedding(spec)
  const found: Found[] = []
  for (const conversation of conversations) found.push(...(await findUnits(conversation, embedding)))
  const size = new Set(conversations.map(({ person }) => person)).size
  const remarks = [`Embedded by ${embedding.id}; its cosines lie in another range than other embedders’.`]
  return { figures: tell(found), size, dataHash, reader: null, runs: [], remarks }
}

async function findUnits(
  { name, sessions, unitOf, questions }: BenchConversation,
  embedding: EmbeddingModel,
): Promise<Found[]> {
  const texts = new Map<string, string>()
  for (const { id, text } of sessions.flatMap(({ turns }) => turns)) {
    const unit = unitOf.get(id) ?? id
    texts.set(unit, `${texts.get(unit) ?? ''}\n${text}`)
  }
  const vectors = await embedding.embed([...texts.values()])
  const asked = await embedding.embed(questions.map(({ text }) => text))
  return questions.flatMap(({ id, evidence }, place) =>
    [...texts.keys()]
      .map((unit, at) => ({ unit, cosine: dot(asked[place] ?? NO_VECTOR, vectors[at] ?? NO_VECTOR) }))
      .toSorted((one, other) => other.cosine - one.cosine)
      .slice(0, FOUND)
      .map(({ unit, cosine }): Found => {
        return { question: `${name}/${id}`, cosine, isRight: evidence.includes(unit) }
      }),
  )
}
