import type { DatasetSession, GoldMemory } from '../../datasets/conversation.ts'
import type { SystemMemoryItem } from '../../systems/memory-system.ts'
import { askOutside, attempt, entryOf, type Measuring } from './measuring.ts'

/** HaluMem: memories looked at for each gold update. */
const UPDATE_LIMIT = 10

/** Measures a session right after it: what it left against what it should, and the updates it called for. */
export async function measureSession(measuring: Measuring, session: DatasetSession): Promise<void> {
  const left = await leftBy(measuring, session)
  if (left !== null) measuring.left.set(session.id, left)
  if (session.isScored === false || session.gold === undefined) return
  const gold = session.gold.filter((one) => one.source !== 'annotated')
  const unretrieved = measuring.tasks.has('updating')
    ? await measureUpdates(measuring, session, gold)
    : new Set()
  if (!measuring.tasks.has('extraction') || left === null) return
  const looked = gold.map((one) => ({ ...one, isUnretrieved: unretrieved.has(one.id) }))
  await measureIntegrity(measuring, session, looked, left)
  await measureAccuracy(measuring, session, gold, left)
}

async function leftBy(
  measuring: Measuring,
  session: DatasetSession,
): Promise<readonly SystemMemoryItem[] | null> {
  const { value, failure } = await attempt(() => measuring.memory.dialogueMemories(session.id))
  if (failure === null) return value
  const where = `memories of session ${session.id}`
  measuring.write({ entry: 'failure', ...entryOf(measuring), where, message: failure })
  return []
}

async function measureIntegrity(
  measuring: Measuring,
  session: DatasetSession,
  gold: readonly (GoldMemory & { readonly isUnretrieved: boolean })[],
  left: readonly SystemMemoryItem[],
): Promise<void> {
  const memories = left.map((item) => item.text)
  for (const one of gold) {
    const judged = await askOutside(measuring, `verdict on gold memory ${one.id}`, () =>
      measuring.judge.integrity({ expected: one.text, memories, user: measuring.conversation.user }),
    )
    if (judged === null) continue
    measuring.write({
      entry: 'integrity',
      ...entryOf(measuring),
      session: session.id,
      gold: one.id,
      text: one.text,
      type: one.type,
      source: one.source,
      isUpdate: one.isUpdate,
      importance: one.importance,
      score: judged.verdict,
      reason: judged.reason,
      isUnretrievedUpdate: one.isUnretrieved,
    })
  }
}

async function measureAccuracy(
  measuring: Measuring,
  session: DatasetSession,
  gold: readonly GoldMemory[],
  left: readonly SystemMemoryItem[],
): Promise<void> {
  const dialogue = session.turns.map(({ speaker, role, text }) => ({ speaker, role, text }))
  const truths = gold.flatMap((one) => (one.source === 'interference' ? [] : [one.text]))
  for (const { id, text } of left) {
    const judged = await askOutside(measuring, `verdict on memory ${id}`, () =>
      measuring.judge.accuracy({ memory: text, dialogue, gold: truths }),
    )
    if (judged === null) continue
    measuring.write({
      entry: 'accuracy',
      ...entryOf(measuring),
      session: session.id,
      memory: id,
      text,
      score: judged.verdict,
      isTarget: judged.isTarget,
      reason: judged.reason,
    })
  }
}

/** @returns ids of the gold updates for which nothing was retrieved */
async function measureUpdates(
  measuring: Measuring,
  session: DatasetSession,
  gold: readonly GoldMemory[],
): Promise<Set<string>> {
  const unretrieved = new Set<string>()
  const at = session.turns.at(-1)?.at ?? 0
  for (const one of gold.filter((update) => update.isUpdate && update.source !== 'interference')) {
    const found = await attempt(() =>
      measuring.memory.retrieve(one.text, { limit: UPDATE_LIMIT, at, tokens: measuring.contextTokens }),
    )
    const memories = (found.value?.memories ?? []).slice(0, UPDATE_LIMIT).map((item) => item.text)
    if (memories.length === 0) unretrieved.add(one.id)
    const judged =
      memories.length === 0
        ? { verdict: 'omitted' as const, reason: found.failure ?? 'nothing was retrieved' }
        : await askOutside(measuring, `verdict on update ${one.id}`, () =>
            measuring.judge.update({
              updated: one.text,
              originals: one.replaces,
              memories,
              user: measuring.conversation.user,
            }),
          )
    if (judged === null) continue
    measuring.updates.set(one.text, judged.verdict)
    measuring.write({
      entry: 'update',
      ...entryOf(measuring),
      session: session.id,
      gold: one.id,
      text: one.text,
      originals: one.replaces,
      type: one.type,
      retrieved: memories,
      outcome: judged.verdict,
      reason: judged.reason,
      milliseconds: found.milliseconds,
    })
  }
  return unretrieved
}
