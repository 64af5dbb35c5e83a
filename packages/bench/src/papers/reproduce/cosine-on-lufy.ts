import type { EmbeddingModel } from 'keepsake'
import { embeddedWordVectors } from '@keepsake/text'
import type { BenchConversation } from '../../datasets/conversation.ts'
import { loadLufy } from '../../datasets/lufy.ts'
import { harmonicMean } from '../../metrics/text/overlap.ts'
import type { MeasuredFigure, ItemResult, PaperRequest, Reproduction } from '../registry/paper.ts'
import type { BenchContext } from '../../benchmark/benchmark.ts'
import { makeFigure } from './measured-figure.ts'
import { dot, NO_VECTOR } from '../../metrics/means.ts'

interface FoundMemory {
  readonly question: string
  readonly cosine: number
  readonly isRight: boolean
}

/** The number of memories found for each question (LUFY, appendix D). */
const FOUND_PER_QUESTION = 10
/** The width of a bar of the figures. There are 20 bars from 0 to 1. */
const BIN_WIDTH = 0.05
const BIN_STARTS = Array.from({ length: 20 }, (_, index) => Math.round(index * BIN_WIDTH * 100) / 100)

/** Measures LUFY's Figure 10: right and wrong memories among the ten nearest, by their cosine with the question. */
export const cosineBins: Reproduction['measure'] = (request, context) =>
  measureNearest(request, context, (found) =>
    BIN_STARTS.flatMap((start): MeasuredFigure[] => {
      const bin = found.filter(({ cosine }) => cosine >= start && cosine < start + BIN_WIDTH)
      const right = bin.filter(({ isRight }) => isRight).length
      if (bin.length === 0) return []
      const row = `cosine ${start.toFixed(2)} to ${(start + BIN_WIDTH).toFixed(2)}`
      const place = { row, paperRow: null } as const
      const share = (right / bin.length) * 100
      return [
        makeFigure({ ...place, column: 'right', unit: 'count' }, right, bin.length),
        makeFigure({ ...place, column: 'wrong', unit: 'count' }, bin.length - right, bin.length),
        makeFigure({ ...place, column: 'right share', unit: 'percent' }, share, bin.length),
      ]
    }),
  )

/** Measures LUFY's Figure 11: precision, recall and F1 of the memories above each threshold of the cosine. */
export const cosineThresholds: Reproduction['measure'] = (request, context) =>
  measureNearest(request, context, (found) => {
    const questions = new Set(found.map(({ question }) => question)).size
    return BIN_STARTS.flatMap((threshold): MeasuredFigure[] => {
      const above = found.filter(({ cosine }) => cosine >= threshold)
      if (above.length === 0) return []
      const right = above.filter(({ isRight }) => isRight)
      const precision = right.length / above.length
      const recall = new Set(right.map(({ question }) => question)).size / questions
      const place = {
        row: `cosine at least ${threshold.toFixed(2)}`,
        paperRow: null,
        unit: 'percent',
      } as const
      return [
        makeFigure({ ...place, column: 'Precision' }, precision * 100, above.length),
        makeFigure({ ...place, column: 'Recall' }, recall * 100, questions),
        makeFigure({ ...place, column: 'F1' }, harmonicMean(precision, recall) * 100, questions),
      ]
    })
  })

/** Finds the memories nearest to all questions, and makes figures of them. */
async function measureNearest(
  { path, embedding: spec }: PaperRequest,
  { openEmbedding }: BenchContext,
  figuresOf: (found: readonly FoundMemory[]) => MeasuredFigure[],
): Promise<ItemResult> {
  const { conversations, dataHash } = await loadLufy(path)
  const embedding = spec === undefined ? embeddedWordVectors() : await openEmbedding(spec)
  const found: FoundMemory[] = []
  for (const conversation of conversations) found.push(...(await findNearestUnits(conversation, embedding)))
  const size = new Set(conversations.map(({ person }) => person)).size
  const remarks = [`Embedded by ${embedding.id}; its cosines lie in another range than other embedders’.`]
  return { figures: figuresOf(found), size, dataHash, reader: null, runs: [], remarks }
}

/** Finds the units nearest to each question. A unit is an utterance of the agent with the user's answer. */
async function findNearestUnits(
  { name, sessions, unitOf, questions }: BenchConversation,
  embedding: EmbeddingModel,
): Promise<FoundMemory[]> {
  const texts = new Map<string, string>()
  for (const { id, text } of sessions.flatMap(({ turns }) => turns)) {
    const unit = unitOf.get(id) ?? id
    texts.set(unit, `${texts.get(unit) ?? ''}\n${text}`)
  }
  const unitVectors = await embedding.embed([...texts.values()])
  const questionVectors = await embedding.embed(questions.map(({ text }) => text))
  return questions.flatMap(({ id, evidence }, q) => {
    const questionVector = questionVectors[q] ?? NO_VECTOR
    const scored = [...texts.keys()].map((unit, u) => {
      return { unit, cosine: dot(questionVector, unitVectors[u] ?? NO_VECTOR) }
    })
    const nearest = scored.toSorted((a, b) => b.cosine - a.cosine).slice(0, FOUND_PER_QUESTION)
    const question = `${name}/${id}`
    return nearest.map(({ unit, cosine }) => ({ question, cosine, isRight: evidence.includes(unit) }))
  })
}
