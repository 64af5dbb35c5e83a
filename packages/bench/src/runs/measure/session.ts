import type { DatasetSession, GoldMemory } from '../../datasets/conversation.ts'
import type { Degree, Verdict } from '../../judges/judge.ts'
import type { SystemMemoryItem } from '../../systems/memory-system.ts'
import { withDay } from '../../text/day-mark.ts'
import { askTool, attempt, entryOf, type ConversationRun } from './conversation-run.ts'

/** Maximum number of earlier memories that are compared with one gold memory. More would not fit the request to a model judge. */
const MAX_EARLIER = 20

/** Memories of earlier sessions. */
export interface EarlierMemories {
  /** Returns the memories nearest in meaning to a gold memory (which the data expects), nearest first. */
  nearest(gold: string): readonly SystemMemoryItem[]
}

const NO_EARLIER: EarlierMemories = { nearest: () => [] }

/** Prepares the search in the memories that are not in `sessionMemories`. */
async function prepareEarlier(
  run: ConversationRun,
  gold: readonly GoldMemory[],
  sessionMemories: readonly SystemMemoryItem[],
): Promise<EarlierMemories> {
  const { value, failure } = await attempt(() => run.memory.memories())
  if (failure !== null) {
    const where = 'memories that stand after a session'
    run.write({ entry: 'failure', ...entryOf(run), where, message: failure })
  }
  const sessionIds = new Set(sessionMemories.map(({ id }) => id))
  const earlier = (value ?? []).filter(({ id }) => !sessionIds.has(id))
  if (earlier.length === 0) return NO_EARLIER
  const texts = await run.matcher.prepare([...earlier, ...gold].map(({ text }) => text))
  return {
    nearest: (goldText) =>
      earlier
        .map((item) => ({ item, cosine: texts.cosine(item.text, goldText) }))
        .toSorted((a, b) => b.cosine - a.cosine)
        .slice(0, MAX_EARLIER)
        .map(({ item }) => item),
  }
}

/** Number of memories retrieved for each gold update, as in the HaluMem paper. */
const UPDATE_LIMIT = 10

/** Measures a session right after it was ingested: its memories against the gold memories, and its updates. */
export async function measureSession(run: ConversationRun, session: DatasetSession): Promise<void> {
  const sessionMemories = await readSessionMemories(run, session)
  if (sessionMemories !== null) run.left.set(session.id, sessionMemories)
  if (session.isScored === false || session.gold === undefined) return
  // Annotated memories do not list everything that a session may leave, so extraction cannot be measured by them.
  const gold = session.gold.filter(({ source }) => source !== 'annotated')
  if (gold.length === 0 && session.gold.length > 0) return
  const unretrievedIds = run.tasks.has('updating') ? await measureUpdates(run, session, gold) : new Set()
  if (!run.tasks.has('extraction') || sessionMemories === null) return
  const markedGold = gold.map((memory) => ({ ...memory, isUnretrieved: unretrievedIds.has(memory.id) }))
  // The HaluMem paper searches only the memories of the session.
  const isPaper = run.protocol === 'paper'
  const earlier = isPaper ? NO_EARLIER : await prepareEarlier(run, gold, sessionMemories)
  await measureIntegrity(run, session, markedGold, { sessionMemories, earlier })
  await measureAccuracy(run, session, gold, sessionMemories)
}

/** Reads the memories that a session left. `null`: the system does not list them. Empty: the call failed. */
async function readSessionMemories(
  run: ConversationRun,
  session: DatasetSession,
): Promise<readonly SystemMemoryItem[] | null> {
  const { value, failure } = await attempt(() => run.memory.dialogueMemories(session.id))
  if (failure === null) return value
  const where = `memories of session ${session.id}`
  run.write({ entry: 'failure', ...entryOf(run), where, message: failure })
  return []
}

/** Writes how far the system's memories contain each gold memory. */
async function measureIntegrity(
  run: ConversationRun,
  session: DatasetSession,
  gold: readonly (GoldMemory & { readonly isUnretrieved: boolean })[],
  sources: MemorySources,
): Promise<void> {
  for (const goldMemory of gold) {
    const judged = await judgeIntegrity(run, goldMemory, sources)
    if (judged === null) continue
    const { id, text, type, source, isUpdate, importance, isUnretrieved } = goldMemory
    run.write({
      entry: 'integrity',
      ...entryOf(run),
      session: session.id,
      gold: id,
      text,
      type,
      source,
      isUpdate,
      importance,
      score: judged.verdict,
      scoreOfSession: judged.ofSession,
      reason: judged.reason,
      isUnretrievedUpdate: isUnretrieved,
    })
  }
}

/** The memories in which a gold memory is searched for. */
interface MemorySources {
  readonly sessionMemories: readonly SystemMemoryItem[]
  readonly earlier: EarlierMemories
}

/** Judges how far the session's memories contain a gold memory. If not fully, it also judges earlier memories, because a known fact need not be stored twice. */
async function judgeIntegrity(
  run: ConversationRun,
  { id, text: expected }: GoldMemory,
  { sessionMemories, earlier }: MemorySources,
): Promise<(Verdict<Degree> & { readonly ofSession: Degree }) | null> {
  const { user } = run.conversation
  const judgeWith = (items: readonly SystemMemoryItem[]) =>
    askTool(run, `verdict on gold memory ${id}`, () =>
      run.judge.integrity({ expected, memories: items.map(withDay), user }),
    )
  const ofSession = await judgeWith(sessionMemories)
  if (ofSession === null) return null
  const nearest = earlier.nearest(expected)
  const isWhole = ofSession.verdict === 2
  if (isWhole || nearest.length === 0) return { ...ofSession, ofSession: ofSession.verdict }
  const ofAll = await judgeWith([...sessionMemories, ...nearest])
  return ofAll === null ? null : { ...ofAll, ofSession: ofSession.verdict }
}

/** Writes how far dialogue and gold memories support each memory of the session. */
async function measureAccuracy(
  run: ConversationRun,
  session: DatasetSession,
  gold: readonly GoldMemory[],
  sessionMemories: readonly SystemMemoryItem[],
): Promise<void> {
  const dialogue = session.turns.map(({ speaker, role, text, at }) => ({ speaker, role, text, at }))
  // Interference is what the agent said and the user never confirmed. It supports nothing.
  const goldTexts = gold.filter(({ source }) => source !== 'interference').map(({ text }) => text)
  for (const item of sessionMemories) {
    const { id } = item
    const text = withDay(item)
    const judged = await askTool(run, `verdict on memory ${id}`, () =>
      run.judge.accuracy({ memory: text, dialogue, gold: goldTexts }),
    )
    if (judged === null) continue
    run.write({
      entry: 'accuracy',
      ...entryOf(run),
      session: session.id,
      memory: id,
      text,
      score: judged.verdict,
      isTarget: judged.isTarget,
      reason: judged.reason,
    })
  }
}

/** Writes whether each gold update was made. @returns the ids of updates for which nothing was retrieved */
async function measureUpdates(
  run: ConversationRun,
  session: DatasetSession,
  gold: readonly GoldMemory[],
): Promise<Set<string>> {
  const unretrieved = new Set<string>()
  const options = {
    limit: UPDATE_LIMIT,
    at: session.turns.at(-1)?.at ?? 0,
    tokens: run.contextTokens,
    asPublished: run.protocol === 'paper',
  }
  const { user } = run.conversation
  const updates = gold.filter(({ isUpdate, source }) => isUpdate && source !== 'interference')
  for (const { id, text, type, replaces: originals } of updates) {
    const retrieval = await attempt(() => run.memory.retrieve(text, options))
    const memories = (retrieval.value?.memories ?? []).slice(0, UPDATE_LIMIT).map(withDay)
    if (memories.length === 0) unretrieved.add(id)
    const judged =
      memories.length === 0
        ? { verdict: 'omitted' as const, reason: retrieval.failure ?? 'nothing was retrieved' }
        : await askTool(run, `verdict on update ${id}`, () =>
            run.judge.update({ updated: text, originals, memories, user }),
          )
    if (judged === null) continue
    run.updates.set(text, judged.verdict)
    run.write({
      entry: 'update',
      ...entryOf(run),
      session: session.id,
      gold: id,
      text,
      originals,
      type,
      retrieved: memories,
      outcome: judged.verdict,
      reason: judged.reason,
      milliseconds: retrieval.milliseconds,
    })
  }
  return unretrieved
}
