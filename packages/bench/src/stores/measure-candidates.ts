import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory, openSqliteStore, type Keepsake, type Recall, type Store } from 'keepsake'
import type { BenchConversation, OpenedDataset } from '../datasets/conversation.ts'
import { seededRandom } from '../metrics/seeded-random.ts'
import { PersonCopy } from '../perf/person-copy.ts'
import { quantilesNamed, round } from '../perf/time-calls.ts'
import type { StoreKeeper } from './open-postgres.ts'
import { talkOfSize, type LargeTalk } from './talk-of-size.ts'

export interface Asked {
  readonly dataset: OpenedDataset
  readonly turns: number
  readonly calls: number
  readonly seed: number
  /** Where the file lies in which the person is told. */
  readonly folder?: string | undefined
  readonly say?: (what: string) => void
}

const USER = 'person'
const FIRST = 10
/** A person told in a file, and copied: learning from talk takes a file a third of the time. */
const AT_A_TIME = 500

/** Fills one large person, and asks the same of the whole and of candidates, in turns. */
export async function measureCandidates(
  postgres: StoreKeeper,
  { dataset, turns, calls, seed, folder, say }: Asked,
): Promise<Record<string, number>> {
  const conversations: BenchConversation[] = []
  for await (const conversation of dataset.conversations()) conversations.push(conversation)
  const talk = talkOfSize(conversations, turns, seed)
  const kept = await postgres.keep({ candidates: true })
  try {
    const filling = await kept.open()
    await fill(filling, talk, folder)
    await filling.close()
    say?.('filled')
    const questions = drawn(
      conversations.flatMap((one) => one.questions),
      calls,
      seed,
    )
    return await compare({
      open: kept.open,
      questions: questions.map(({ text }) => text),
      now: talk.end,
      say,
    })
  } finally {
    await kept.drop()
  }
}

async function fill(store: Store, talk: LargeTalk, folder = tmpdir()): Promise<void> {
  const own = await mkdtemp(join(folder, 'keepsake-candidates-'))
  const file = await openSqliteStore({ path: join(own, 'memory.db'), synchronous: 'normal' })
  try {
    const keepsake = await openMemory({ store: unclosed(file), retention: { when: 'never' } })
    for (const { session, turns } of talk.sessions)
      for (let at = 0; at < turns.length; at += AT_A_TIME)
        await keepsake.scope({ user: USER }).remember(turns.slice(at, at + AT_A_TIME), { session })
    await keepsake.drain()
    await keepsake.close()
    await new PersonCopy(file, USER).giveTo(store, USER)
  } finally {
    await file.close()
    await rm(own, { recursive: true })
  }
}

interface Comparing {
  readonly open: () => Promise<Store>
  readonly questions: readonly string[]
  readonly now: number
  readonly say: ((what: string) => void) | undefined
}

async function compare({ open, questions, now, say }: Comparing): Promise<Record<string, number>> {
  const options = { now, reinforce: false, limit: FIRST }
  const rows: number[] = []
  const sides = {
    whole: await openMemory({ store: withoutCandidates(await open()), retention: { when: 'never' } }),
    candidates: await openMemory({
      store: countingRows(await open(), rows),
      retention: { when: 'never' },
      candidatesFrom: 1,
    }),
  }
  const ask = async (keepsake: Keepsake, question: string): Promise<readonly [Recall, number]> => {
    const began = performance.now()
    const recall = await keepsake.scope({ user: USER }).recall(question, options)
    return [recall, performance.now() - began]
  }
  const tally = { same: 0, all: 0, first: 0, known: 0 }
  const times = { whole: [] as number[], candidates: [] as number[] }
  try {
    const [, readWhole] = await ask(sides.whole, 'Anything?')
    say?.('read whole')
    const [, kept] = await ask(sides.candidates, 'Anything?')
    say?.('kept what candidates are found by')
    for (const question of questions) {
      const [exact, wholeMs] = await ask(sides.whole, question)
      const [some, someMs] = await ask(sides.candidates, question)
      times.whole.push(wholeMs)
      times.candidates.push(someMs)
      addUp(tally, exact, some)
    }
    const share = (count: number): number => round(count / questions.length)
    return {
      questions: questions.length,
      'recall@10': round(tally.same / Math.max(1, tally.all)),
      same_first: share(tally.first),
      same_known: share(tally.known),
      rows_read: round(rows.reduce((sum, count) => sum + count, 0) / Math.max(1, rows.length)),
      read_whole_ms: round(readWhole),
      first_kept_ms: round(kept),
      ...quantilesNamed('whole', times.whole),
      ...quantilesNamed('candidates', times.candidates),
    }
  } finally {
    for (const keepsake of Object.values(sides)) await keepsake.close()
  }
}

function addUp(
  tally: { same: number; all: number; first: number; known: number },
  exact: Recall,
  some: Recall,
): void {
  const found = new Set(some.memories.map(({ memory }) => memory.id))
  tally.all += exact.memories.length
  tally.same += exact.memories.filter(({ memory }) => found.has(memory.id)).length
  if (exact.memories[0]?.memory.id === some.memories[0]?.memory.id) tally.first += 1
  if (exact.known === some.known) tally.known += 1
}

function withoutCandidates(store: Store): Store {
  const { candidates: _, ...rest } = store
  return rest
}

function countingRows(store: Store, rows: number[]): Store {
  const { candidates } = store
  if (candidates === undefined) throw new Error('the store gives no candidates')
  const find: typeof candidates.find = async (question) => {
    const found = await candidates.find(question)
    rows.push(found.rows.documents.length)
    return found
  }
  return { ...store, candidates: { ...candidates, find } }
}

/** The memory that is closed leaves the store open. */
function unclosed(store: Store): Store {
  return { ...store, close: () => Promise.resolve() }
}

/** So many of them at most, spread by chance: the same for the same seed. */
function drawn<One>(all: readonly One[], most: number, seed: number): One[] {
  const random = seededRandom(seed)
  const order = all.map((one) => ({ one, place: random() })).sort((a, b) => a.place - b.place)
  return order.slice(0, most).map(({ one }) => one)
}
