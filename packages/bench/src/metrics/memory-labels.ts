import { rougeL, rougeN } from './text/overlap.ts'
import type { PreparedTokens } from './contextual-matching.ts'
import type { PreparedTexts } from './greedy-matching.ts'

/**
 * The label of each memory (MOOM, section 5.2): the most similar one, the first of equals, or none at similarity 0.
 *
 * @param similarity of a memory to a label, 0 to 1; the paper's is BERTScore
 * @returns for each label, in order, the indices of its memories, most similar first
 */
export function matchLabels(
  labels: readonly string[],
  memories: readonly string[],
  similarity: (memory: string, label: string) => number,
): readonly (readonly number[])[] {
  const matched = labels.map((): { memory: number; similarity: number }[] => [])
  for (const [memory, text] of memories.entries()) {
    let best = -1
    let most = 0
    for (const [label, wanted] of labels.entries()) {
      const likeness = similarity(text, wanted)
      if (likeness > most) [best, most] = [label, likeness]
    }
    matched[best]?.push({ memory, similarity: most })
  }
  return matched.map((own) =>
    own.toSorted((a, b) => b.similarity - a.similarity || a.memory - b.memory).map(({ memory }) => memory),
  )
}

/** MOOM's Table 1 without judge and BERTScore: ROUGE and greedy matching of words by precision. */
type LabelMetric = 'rouge2' | 'rougeL' | 'greedy_words' | 'cosine'

interface LabelOverlap {
  /** Each the best over the memories, 0 to 1; 0 without memories. */
  readonly overlap: Readonly<Record<LabelMetric, number>>
  /** Index of the memory with the best `greedy_words`; `null` when none has any. */
  readonly nearest: number | null
}

/**
 * The similarity of the nearest memories to a label (MOOM, section 5.2 and Table 1): precision of ROUGE-2, ROUGE-L and greedy matching, and
 * cosine (at least 0), each maximised separately. Precision favours short memories: a single right word scores 1, which is why MemScore is
 * shown beside it. `greedy_words` uses context-free word vectors; BERTScore is {@link bertScoreWithLabel}.
 *
 * @param texts prepared with the label and every memory
 */
export function overlapWithLabel(
  label: string,
  memories: readonly string[],
  texts: PreparedTexts,
): LabelOverlap {
  const wanted = texts.wordsOf(label)
  const best: Record<LabelMetric, number> = { rouge2: 0, rougeL: 0, greedy_words: 0, cosine: 0 }
  let nearest: number | null = null
  for (const [index, memory] of memories.entries()) {
    const words = texts.wordsOf(memory)
    const { precision } = texts.match(memory, label)
    if (precision > best.greedy_words) [nearest, best.greedy_words] = [index, precision]
    best.rouge2 = Math.max(best.rouge2, rougeN(words, wanted, 2).precision)
    best.rougeL = Math.max(best.rougeL, rougeL(words, wanted).precision)
    best.cosine = Math.max(best.cosine, texts.cosine(memory, label))
  }
  return { overlap: best, nearest }
}

/** BERTScore's precision of the best memory for a label, 0 to 1 (MOOM, Table 1); 0 without memories. */
export function bertScoreWithLabel(
  label: string,
  memories: readonly string[],
  tokens: PreparedTokens,
): number {
  return Math.max(0, ...memories.map((memory) => tokens.match(memory, label).precision))
}
