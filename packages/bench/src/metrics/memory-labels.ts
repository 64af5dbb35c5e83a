import { rougeL, rougeN } from './text/overlap.ts'
import type { PreparedTokens } from './contextual-matching.ts'
import type { PreparedTexts } from './greedy-matching.ts'

/** Assigns each memory to the most similar label (MOOM, section 5.2). @returns for each label, the indexes of its memories, best first */
export function matchLabels(
  labels: readonly string[],
  memories: readonly string[],
  similarity: (memory: string, label: string) => number,
): readonly (readonly number[])[] {
  const matched = labels.map((): { memory: number; similarity: number }[] => [])
  for (const [memory, text] of memories.entries()) {
    let best = -1
    let highest = 0
    for (const [label, labelText] of labels.entries()) {
      const labelSimilarity = similarity(text, labelText)
      if (labelSimilarity > highest) [best, highest] = [label, labelSimilarity]
    }
    matched[best]?.push({ memory, similarity: highest })
  }
  return matched.map((labelMatches) =>
    labelMatches
      .toSorted((a, b) => b.similarity - a.similarity || a.memory - b.memory)
      .map(({ memory }) => memory),
  )
}

/** The metrics of MOOM's Table 1 that need neither a judge nor a model for BERTScore. */
type LabelMetric = 'rouge2' | 'rougeL' | 'greedy_words' | 'cosine'

interface LabelOverlap {
  /** The best value over the memories, by metric, from 0 to 1. 0 if there are no memories. */
  readonly overlap: Readonly<Record<LabelMetric, number>>
  /** The index of the memory with the best `greedy_words`. `null`: all have 0. */
  readonly nearest: number | null
}

/** Compares prepared memories with a label, by the best memory for each metric (MOOM, Table 1). Precision favours short memories. */
export function overlapWithLabel(
  label: string,
  memories: readonly string[],
  texts: PreparedTexts,
): LabelOverlap {
  const labelText = texts.wordsOf(label)
  const best: Record<LabelMetric, number> = { rouge2: 0, rougeL: 0, greedy_words: 0, cosine: 0 }
  let nearest: number | null = null
  for (const [index, memory] of memories.entries()) {
    const words = texts.wordsOf(memory)
    const { precision } = texts.match(memory, label)
    if (precision > best.greedy_words) [nearest, best.greedy_words] = [index, precision]
    best.rouge2 = Math.max(best.rouge2, rougeN(words, labelText, 2).precision)
    best.rougeL = Math.max(best.rougeL, rougeL(words, labelText).precision)
    best.cosine = Math.max(best.cosine, texts.cosine(memory, label))
  }
  return { overlap: best, nearest }
}

/** Computes the precision of BERTScore of the best memory for a label (MOOM, Table 1). 0 if there are no memories. */
export function bertScoreWithLabel(
  label: string,
  memories: readonly string[],
  tokens: PreparedTokens,
): number {
  return Math.max(0, ...memories.map((memory) => tokens.match(memory, label).precision))
}
