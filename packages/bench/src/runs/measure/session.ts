import type { DatasetSession, GoldMemory } from '../../datasets/conversation.ts'
import type { Degree, Verdict } from '../../judges/judge.ts'
import type { SystemMemoryItem } from '../../systems/memory-system.ts'
import { withDay } from '../../text/day-mark.ts'
import { askTool, attempt, entryOf, type Measuring } from './measuring.ts'

/** Maximum earlier memories searched for one gold memory: more would not fit a model judge's request. */
const MAX_EARLIER = 20

export interface EarlierMemories {
  /** Returns the memories nearest in meaning to a gold memory, nearest first. */
  nearest(gold: string): readonly SystemMemoryItem[]
}

const NO_EARLIER: EarlierMemories = { nearest: () => [] }

/** Prepares the search in earlier memories. @param sessionMemories the session's own memories, which are excluded */
async function prepareEarlier(
  measuring: Measuring,
  gold: readonly GoldMemory[],
  sessionMemories: readonly SystemMemoryItem[],
): Promise<EarlierMemories> {
  const { value, failure } = await attempt(() => measuring.memory.memories())
  if (failure !== null) {
    const where = 'memories that stand after a session'
    measuring.write({ entry: 'failure', ...entryOf(measuring), where, message: failure })
  }
  const own = new Set(sessionMemories.map(({ id }) => id))
  const others = (value ?? []).filter(({ id }) => !own.has(id))
  if (others.length === 0) return NO_EARLIER
  const texts = await measuring.matcher.prepare([...others, ...gold].map(({ text }) => text))
  return {
    nearest: (wanted) =>
      others
        .map((item) => ({ item, cosine: texts.cosine(item.text, wanted) }))
        .toSorted((one, other) => other.cosine - one.cosine)
        .slice(0, MAX_EARLIER)
        .map(({ item }) => item),
  }
}

/** HaluMem: memories searched for each gold update. */
const UPDATE_LIMIT = 10

/** Measures a session right after it: its memories against the expected ones, and its updates. */
export async function measureSession(measuring: Measuring, session: DatasetSession): Promise<void> {
  const sessionMemories = await readSessionMemories(measuring, session)
  if (sessionMemories !== null) measuring.left.set(session.id, sessionMemories)
  if (session.isScored === false || session.gold === undefined) return
  const gold = session.gold.filter((one) => one.source !== 'annotated')
  // Annotated memories do not list everything that a session may leave.
  if (gold.length === 0 && session.gold.length > 0) return
  const unretrievedIds = measuring.tasks.has('updating')
    ? await measureUpdates(measuring, session, gold)
    : new Set()
  if (!measuring.tasks.has('extraction') || sessionMemories === null) return
  const marked = gold.map((one) => ({ ...one, isUnretrieved: unretrievedIds.has(one.id) }))
  // The paper searches only the session's own memories.
  const isPaper = measuring.protocol === 'paper'
  const earlier = isPaper ? NO_EARLIER : await prepareEarlier(measuring, gold, sessionMemories)
  await measureIntegrity(measuring, session, marked, { sessionMemories, earlier })
  await measureAccuracy(measuring, session, gold, sessionMemories)
}

async function readSessionMemories(
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
  sources: MemorySources,
): Promise<void> {
  for (const one of gold) {
    const judged = await judgeIntegrity(measuring, one, sources)
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

interface MemorySources {
  readonly sessionMemories: readonly SystemMemoryItem[]
  readonly earlier: EarlierMemories
}

/**
 * Judges how far a gold memory is in the session's memories and, if not completely, also in earlier ones: a system that knew
 * it before is right not to store it twice.
 */
async function judgeIntegrity(
  measuring: Measuring,
  { id, text: expected }: GoldMemory,
  { sessionMemories, earlier }: MemorySources,
): Promise<(Verdict<Degree> & { readonly ofSession: Degree }) | null> {
  const { user } = measuring.conversation
  const judgeWith = (items: readonly SystemMemoryItem[]) =>
    askTool(measuring, `verdict on gold memory ${id}`, () =>
      measuring.judge.integrity({ expected, memories: items.map(withDay), user }),
    )
  const own = await judgeWith(sessionMemories)
  if (own === null) return null
  const others = earlier.nearest(expected)
  if (own.verdict === 2 || others.length === 0) return { ...own, ofSession: own.verdict }
  const all = await judgeWith([...sessionMemories, ...others])
  return all === null ? null : { ...all, ofSession: own.verdict }
}

async function measureAccuracy(
  measuring: Measuring,
  session: DatasetSession,
  gold: readonly GoldMemory[],
  sessionMemories: readonly SystemMemoryItem[],
): Promise<void> {
  const dialogue = session.turns.map(({ speaker, role, text, at }) => ({ speaker, role, text, at }))
  const goldTexts = gold.flatMap((one) => (one.source === 'interference' ? [] : [one.text]))
  for (const item of sessionMemories) {
    const { id } = item
    const text = withDay(item)
    const judged = await askTool(measuring, `verdict on memory ${id}`, () =>
      measuring.judge.accuracy({ memory: text, dialogue, gold: goldTexts }),
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
        : await askTool(measuring, `verdict on update ${one.id}`, () =>
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
