import type { GoldMemory } from '../../datasets/conversation.ts'
import { bertScoreWithLabel, matchLabels, overlapWithLabel } from '../../metrics/memory-labels.ts'
import { askTool, attempt, entryOf, type Measuring } from './measuring.ts'

interface BestMemory {
  readonly score: number
  readonly reason: string
  readonly memory: string
}

/** Compares the system's final memories with labels, which are memories that people annotated (MOOM, section 5.2). */
export async function measureLabels(measuring: Measuring): Promise<void> {
  const goldMemories = measuring.conversation.sessions.flatMap((session) =>
    (session.gold ?? []).filter((gold) => gold.source === 'annotated'),
  )
  if (goldMemories.length === 0) return
  const { value, failure } = await attempt(() => measuring.memory.memories())
  if (failure === null && value === null) return
  const memories = [...new Set((value ?? []).map((item) => item.text))]
  await writeLabels(measuring, goldMemories, memories, failure)
}

async function writeLabels(
  measuring: Measuring,
  goldMemories: readonly GoldMemory[],
  memories: readonly string[],
  failure: string | null,
): Promise<void> {
  const all = [...memories, ...goldMemories.map(({ text }) => text)]
  const textMatcher = await measuring.matcher.prepare(all)
  const tokenMatcher = (await measuring.tokens?.prepare(all)) ?? null
  const matches = matchLabels(
    goldMemories.map(({ text }) => text),
    memories,
    (memory, gold) => (tokenMatcher ?? textMatcher).match(memory, gold).f1,
  )
  for (const [index, label] of goldMemories.entries()) {
    const { overlap, nearest } = overlapWithLabel(label.text, memories, textMatcher)
    const matched = (matches[index] ?? []).flatMap((memoryIndex) => memories[memoryIndex] ?? [])
    const best = await bestScore(measuring, label.text, matched)
    const nearestText = nearest === null ? undefined : memories[nearest]
    const bertscore =
      tokenMatcher === null ? {} : { bertscore: bertScoreWithLabel(label.text, memories, tokenMatcher) }
    measuring.write({
      entry: 'label',
      ...entryOf(measuring),
      label: label.id,
      ...(label.kind === undefined ? {} : { kind: label.kind }),
      text: label.text,
      memory: best?.memory ?? nearestText ?? null,
      overlap: { ...overlap, ...bertscore },
      memScore: best?.score ?? 0,
      reason: failure ?? best?.reason ?? 'no memory is like it more than another label',
    })
  }
}

/** Judges the memories that are similar to a label, and returns the one with the highest score. */
async function bestScore(
  measuring: Measuring,
  label: string,
  memories: readonly string[],
): Promise<BestMemory | null> {
  let best: BestMemory | null = null
  for (const memory of memories) {
    const judged = await askTool(measuring, 'verdict on a label', () =>
      measuring.judge.likeness({ label, memory }),
    )
    if (judged !== null && (best === null || judged.verdict > best.score))
      best = { score: judged.verdict, reason: judged.reason, memory }
  }
  return best
}
