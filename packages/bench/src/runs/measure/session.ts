import type { DatasetSession, GoldMemory } from '../../datasets/conversation.ts'
import type { Degree, Verdict } from '../../judges/judge.ts'
import type { SystemMemoryItem } from '../../systems/memory-system.ts'
import { withDay } from '../../text/day-mark.ts'
import { askOutside, attempt, entryOf, type Measuring } from './measuring.ts'

/** Earlier memories searched for one gold memory: more would not fit a model judge's request. */
const MOST = 20

/** The memories that a system holds besides a session's. */
export interface StandingMemories {
  /** Those nearest in meaning to a gold memory of the session, nearest first. */
  nearest(gold: string): readonly SystemMemoryItem[]
}

const NOTHING_STANDS: StandingMemories = { nearest: () => [] }

/** @param left the session's memories, which are excluded */
async function nearestStanding(
  measuring: Measuring,
  gold: readonly GoldMemory[],
  left: readonly SystemMemoryItem[],
): Promise<StandingMemories> {
  const { value, failure } = await attempt(() => measuring.memory.memories())
  if (failure !== null) {
    const where = 'memories that stand after a session'
    measuring.write({ entry: 'failure', ...entryOf(measuring), where, message: failure })
  }
  const own = new Set(left.map(({ id }) => id))
  const others = (value ?? []).filter(({ id }) => !own.has(id))
  if (others.length === 0) return NOTHING_STANDS
  const texts = await measuring.matcher.prepare([...others, ...gold].map(({ text }) => text))
  return {
    nearest: (wanted) =>
      others
        .map((item) => ({ item, cosine: texts.cosine(item.text, wanted) }))
        .toSorted((one, other) => other.cosine - one.cosine)
        .slice(0, MOST)
        .map(({ item }) => item),
  }
}

/** HaluMem: memories searched for each gold update. */
const UPDATE_LIMIT = 10

/** Measures a session right after it: its memories against the expected ones, and its updates. */
export async function measureSession(measuring: Measuring, session: DatasetSession): Promise<void> {
  const left = await leftBy(measuring, session)
  if (left !== null) measuring.left.set(session.id, left)
  if (session.isScored === false || session.gold === undefined) return
  const gold = session.gold.filter((one) => one.source !== 'annotated')
  // Annotated memories do not list everything that a session may leave.
  if (gold.length === 0 && session.gold.length > 0) return
  const unretrieved = measuring.tasks.has('updating')
    ? await measureUpdates(measuring, session, gold)
    : new Set()
  if (!measuring.tasks.has('extraction') || left === null) return
  const looked = gold.map((one) => ({ ...one, isUnretrieved: unretrieved.has(one.id) }))
  // The paper looks at the session's own memories.
  const isPaper = measuring.protocol === 'paper'
  const standing = isPaper ? NOTHING_STANDS : await nearestStanding(measuring, gold, left)
  await measureIntegrity(measuring, session, looked, { left, standing })
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
  kept: Kept,
): Promise<void> {
  for (const one of gold) {
    const judged = await judgeIntegrity(measuring, one, kept)
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
      scoreOfSession: judged.ofSession,
      reason: judged.reason,
      isUnretrievedUpdate: one.isUnretrieved,
    })
  }
}

/** The memories searched for a gold memory. */
interface Kept {
  readonly left: readonly SystemMemoryItem[]
  readonly standing: StandingMemories
}

/**
 * Searches for a gold memory among the session's memories and, where it is not fully contained, also among earlier ones: a system that knew
 * it already rightly does not store it twice.
 */
async function judgeIntegrity(
  measuring: Measuring,
  { id, text: expected }: GoldMemory,
  { left, standing }: Kept,
): Promise<(Verdict<Degree> & { readonly ofSession: Degree }) | null> {
  const { user } = measuring.conversation
  const among = (items: readonly SystemMemoryItem[]) =>
    askOutside(measuring, `verdict on gold memory ${id}`, () =>
      measuring.judge.integrity({ expected, memories: items.map(withDay), user }),
    )
  const own = await among(left)
  if (own === null) return null
  const others = standing.nearest(expected)
  if (own.verdict === 2 || others.length === 0) return { ...own, ofSession: own.verdict }
  const all = await among([...left, ...others])
  return all === null ? null : { ...all, ofSession: own.verdict }
}

async function measureAccuracy(
  measuring: Measuring,
  session: DatasetSession,
  gold: readonly GoldMemory[],
  left: readonly SystemMemoryItem[],
): Promise<void> {
  const dialogue = session.turns.map(({ speaker, role, text, at }) => ({ speaker, role, text, at }))
  const truths = gold.flatMap((one) => (one.source === 'interference' ? [] : [one.text]))
  for (const item of left) {
    const { id } = item
    const text = withDay(item)
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
    const retrieval = await attempt(() =>
      measuring.memory.retrieve(one.text, {
        limit: UPDATE_LIMIT,
        at,
        tokens: measuring.contextTokens,
        asPublished: measuring.protocol === 'paper',
      }),
    )
    const memories = (retrieval.value?.memories ?? []).slice(0, UPDATE_LIMIT).map(withDay)
    if (memories.length === 0) unretrieved.add(one.id)
    const judged =
      memories.length === 0
        ? { verdict: 'omitted' as const, reason: retrieval.failure ?? 'nothing was retrieved' }
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
      milliseconds: retrieval.milliseconds,
    })
  }
  return unretrieved
}
