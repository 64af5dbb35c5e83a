import type { GoldMemory } from '../../datasets/conversation.ts'
import { bertScoreWithLabel, matchLabels, overlapWithLabel } from '../../metrics/memory-labels.ts'
import { askOutside, attempt, entryOf, type Measuring } from './measuring.ts'

interface Scored {
  readonly score: number
  readonly reason: string
  readonly memory: string
}

/** Compares the system's final memories with the annotated ones (MOOM, section 5.2). */
export async function measureLabels(measuring: Measuring): Promise<void> {
  const labels = measuring.conversation.sessions.flatMap((session) =>
    (session.gold ?? []).filter((gold) => gold.source === 'annotated'),
  )
  if (labels.length === 0) return
  const { value, failure } = await attempt(() => measuring.memory.memories())
  if (failure === null && value === null) return
  const memories = [...new Set((value ?? []).map((item) => item.text))]
  await writeLabels(measuring, labels, memories, failure)
}

async function writeLabels(
  measuring: Measuring,
  labels: readonly GoldMemory[],
  memories: readonly string[],
  failure: string | null,
): Promise<void> {
  const all = [...memories, ...labels.map(({ text }) => text)]
  const texts = await measuring.matcher.prepare(all)
  const tokens = (await measuring.tokens?.prepare(all)) ?? null
  const matches = matchLabels(
    labels.map(({ text }) => text),
    memories,
    (memory, label) => (tokens ?? texts).match(memory, label).f1,
  )
  for (const [index, label] of labels.entries()) {
    const { overlap, nearest } = overlapWithLabel(label.text, memories, texts)
    const matched = (matches[index] ?? []).flatMap((memory) => memories[memory] ?? [])
    const best = await bestScore(measuring, label.text, matched)
    const near = nearest === null ? undefined : memories[nearest]
    measuring.write({
      entry: 'label',
      ...entryOf(measuring),
      label: label.id,
      ...(label.kind === undefined ? {} : { kind: label.kind }),
      text: label.text,
      memory: best?.memory ?? near ?? null,
      overlap:
        tokens === null
          ? overlap
          : { ...overlap, bertscore: bertScoreWithLabel(label.text, memories, tokens) },
      memScore: best?.score ?? 0,
      reason: failure ?? best?.reason ?? 'no memory is like it more than another label',
    })
  }
}

/** The best score among a label's most similar memories. */
async function bestScore(
  measuring: Measuring,
  label: string,
  memories: readonly string[],
): Promise<Scored | null> {
  let best: Scored | null = null
  for (const memory of memories) {
    const judged = await askOutside(measuring, 'verdict on a label', () =>
      measuring.judge.likeness({ label, memory }),
    )
    if (judged !== null && (best === null || judged.verdict > best.score))
      best = { score: judged.verdict, reason: judged.reason, memory }
  }
  return best
}
