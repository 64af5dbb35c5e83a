import { rougeL, rougeN } from './text/overlap.ts'
import type { PreparedTexts } from './greedy-matching.ts'

/**
 * Which label each memory is judged against (MOOM, section 5.1): the one most like it. The first of equals; memories
 * that are like none (similarity 0) are matched with none.
 *
 * @param similarity of a memory to a label, 0 to 1; the paper's is BERTScore
 * @returns for each label, in order, the indices of its memories, most alike first
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
      const found = similarity(text, wanted)
      if (found > most) [best, most] = [label, found]
    }
    matched[best]?.push({ memory, similarity: most })
  }
  return matched.map((own) =>
    own.toSorted((a, b) => b.similarity - a.similarity || a.memory - b.memory).map(({ memory }) => memory),
  )
}

/** What MOOM's Table 1 says of memories without a judge: ROUGE and greedy matching by precision. */
const LABEL_METRICS = ['rouge2', 'rougeL', 'bertscore', 'cosine'] as const
type LabelMetric = (typeof LABEL_METRICS)[number]

interface LabelOverlap {
  /** Each the best over the memories, 0 to 1; 0 without memories. */
  readonly overlap: Readonly<Record<LabelMetric, number>>
  /** Index of the memory with the best `bertscore`; `null` when none has any. */
  readonly nearest: number | null
}

/**
 * How near the nearest memories come to a label (MOOM, section 5.1 and Table 1): precision of ROUGE-2, of ROUGE-L and
 * of greedy matching, and cosine (below 0 counts as 0), each maximised for itself. Precision favours short memories:
 * a single right word scores 1, which is why MemScore is shown beside it. `bertscore` is greedy matching with
 * the configured embedder, not BERTScore.
 *
 * @param texts prepared with the label and every memory
 */
export function overlapWithLabel(
  label: string,
  memories: readonly string[],
  texts: PreparedTexts,
): LabelOverlap {
  const wanted = texts.wordsOf(label)
  const best: Record<LabelMetric, number> = { rouge2: 0, rougeL: 0, bertscore: 0, cosine: 0 }
  let nearest: number | null = null
  for (const [index, memory] of memories.entries()) {
    const words = texts.wordsOf(memory)
    const { precision } = texts.match(memory, label)
    if (precision > best.bertscore) [nearest, best.bertscore] = [index, precision]
    best.rouge2 = Math.max(best.rouge2, rougeN(words, wanted, 2).precision)
    best.rougeL = Math.max(best.rougeL, rougeL(words, wanted).precision)
    best.cosine = Math.max(best.cosine, texts.cosine(memory, label))
  }
  return { overlap: best, nearest }
}
