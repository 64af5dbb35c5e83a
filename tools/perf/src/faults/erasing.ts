// Faults of processes that remember and erase turns on one file. Afterwards no erased word may be in a file.
import * as fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerParent, Child, isChild, seededDraw } from '@keepsake/bench/parts'
import { openMemory, openSqliteStore, type Keepsake } from 'keepsake'
import type { Store } from 'keepsake/store'
import { appendNote, findBroken, ledgerOf, readNotes, type Fault, type Outcome, type Trial } from './trial.ts'

interface EraseRequest {
  readonly path: string
  /** File to which each acknowledged turn and erasure is appended as a line of JSON. It is not in the memory's folder. */
  readonly notes: string
  readonly user: string
  readonly rounds: number
  readonly seed: number
}

/** Makes turns longer, so that they fill several pages of the file. */
const PADDING = ' and so it went on'.repeat(30)

/** Remembers and erases turns until all rounds are done or the process is killed. @returns how many rounds failed */
export async function rememberAndErase(
  keepsake: Keepsake,
  { notes, user, rounds, seed }: Omit<EraseRequest, 'path'>,
): Promise<number> {
  const draw = seededDraw(seed)
  const scope = keepsake.scope({ user })
  const kept: { readonly id: string; readonly text: string }[] = []
  let failed = 0
  for (let round = 0; round < rounds; round += 1) {
    // No other turn contains this word, by which an erased turn can be found in files.
    const turn = { id: `${user}-${round}`, text: `Here is word${user}x${round}end${PADDING}.` }
    try {
      await scope.remember({ role: 'user', ...turn })
      appendNote(notes, 'keep', user, turn.text)
      kept.push(turn)
      const [erased] = draw.chance(0.4) ? draw.shuffled(kept) : []
      if (erased === undefined) continue
      appendNote(notes, 'beginErasing', user, erased.text)
      kept.splice(kept.indexOf(erased), 1)
      await scope.erase({ turns: [erased.id] })
      appendNote(notes, 'erase', user, erased.text)
    } catch {
      // The disk is full or read-only. Everything acknowledged before must still be there.
      failed += 1
    }
  }
  return failed
}

/** Checks that every acknowledged turn of the notes is there, and no erased word is in a file of the folder. */
export async function checkNotes(
  notes: string,
  { folder, path }: { readonly folder: string; readonly path: string },
): Promise<Outcome> {
  const ledger = ledgerOf(readNotes(notes))
  const words = ledger.erasedTexts.map((text) => /word\w+end/.exec(text)?.[0] ?? text)
  return {
    tried: { acknowledged: ledger.size, erasures: words.length },
    broken: [...(await findErasedWords(folder, path, words)), ...(await findBroken({ path, ledger }))],
  }
}

async function isPurged(store: Pick<Store, 'listErasures'>, owner: number): Promise<boolean> {
  for (let tries = 0; tries < 300; tries += 1) {
    if ((await store.listErasures(owner)).every(({ purgedAt }) => purgedAt !== null)) return true
    await sleep(100)
  }
  return false
}

/** Waits until every erasure is complete, and searches all files for the erased words. */
async function findErasedWords(folder: string, path: string, words: readonly string[]): Promise<string[]> {
  const store = await openSqliteStore({ path })
  try {
    for (const { owner } of await store.listScopes())
      if (!(await isPurged(store, owner)))
        return ['the bytes of an erasure were not gone within half a minute']
  } finally {
    await store.close()
  }
  const entries = fs.readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  const files = entries.map(({ name }) => fs.readFileSync(join(folder, name)))
  const left = words.filter((word) => files.some((bytes) => bytes.includes(word)))
  return left.length === 0 ? [] : [`${left.length} erased words are in a file`]
}

/** Runs two processes that remember and erase on one file, and disturbs the first. */
async function whileErasing(
  { folder, draw, seed }: Trial,
  tried: Readonly<Record<string, number>>,
  disturb: (first: Child<number>) => Promise<'killed' | 'running'>,
): Promise<Outcome> {
  const memoryFolder = join(folder, 'memory')
  fs.mkdirSync(memoryFolder)
  const path = join(memoryFolder, 'memory.db')
  const requests = ['ana', 'bea'].map((user, number): EraseRequest => {
    return { path, notes: join(folder, `${user}.jsonl`), user, rounds: 30, seed: seed * 2 + number }
  })
  const processes = requests.map((request) => new Child<number>(import.meta.url, request))
  const [first, ...others] = processes
  if (first === undefined) return { tried: {}, broken: [] }
  first.started.catch(() => undefined)
  await sleep(draw.whole(200, 1_500))
  const state = await disturb(first)
  for (const child of state === 'killed' ? others : processes) {
    await child.started
    await child.release()
  }
  const checks: Outcome[] = []
  for (const { notes } of requests) checks.push(await checkNotes(notes, { folder: memoryFolder, path }))
  const sum = (name: string): number => checks.reduce((all, one) => all + (one.tried[name] ?? 0), 0)
  return {
    tried: { ...tried, acknowledged: sum('acknowledged'), erasures: sum('erasures') },
    broken: checks.flatMap(({ broken }) => broken),
  }
}

export const killErasing: Fault = {
  name: 'kill-erasing',
  about: 'Two processes remember and erase on one file; one is killed (SIGKILL).',
  try: (trial) =>
    whileErasing(trial, { kills: 1 }, async (first) => {
      await first.kill()
      return 'killed'
    }),
}

export const stopErasing: Fault = {
  name: 'stop-erasing',
  about: 'Two processes remember and erase on one file; one is stopped for a while (SIGSTOP).',
  try: (trial) =>
    whileErasing(trial, { stops: 1 }, async (first) => {
      first.signal('SIGSTOP')
      await sleep(trial.draw.whole(1, 700))
      first.signal('SIGCONT')
      return 'running'
    }),
}

/** Cuts off a memory's file or journal. It must open without turns that were never sent, or be refused as damaged. */
export const cutFiles: Fault = {
  name: 'cut-files',
  about: 'A memory’s file or journal, as a kill leaves them, is cut off at a random place.',
  async try({ folder, draw, seed }) {
    const alive = join(folder, 'alive.db')
    const notes = join(folder, 'notes.jsonl')
    const keepsake = await openMemory({ path: alive })
    await rememberAndErase(keepsake, { notes, user: 'ana', rounds: 20, seed })
    const path = join(folder, 'cut.db')
    const files = ['', '-wal'].filter((suffix) => fs.existsSync(alive + suffix))
    for (const suffix of files) fs.copyFileSync(alive + suffix, path + suffix)
    await keepsake.close()
    const cut = path + draw.pick(files)
    fs.truncateSync(cut, draw.whole(0, fs.statSync(cut).size))
    const sent = new Set(readNotes(notes).map(([, , text]) => text))
    return { tried: { cuts_of_files: 1 }, broken: await findUnsentTurns(path, sent) }
  },
}

async function findUnsentTurns(path: string, sent: ReadonlySet<string>): Promise<string[]> {
  try {
    const store = await openSqliteStore({ path })
    try {
      const owners = new Set((await store.listScopes()).map(({ owner }) => owner))
      const turns = []
      for (const owner of owners) turns.push(...(await store.listTurns({ userId: owner })))
      const unsent = turns.filter(({ text }) => !sent.has(text)).length
      return unsent === 0 ? [] : [`${unsent} turns are there that were never sent`]
    } finally {
      await store.close()
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'none'
    return ['store-corrupt', 'store-schema'].includes(code) ? [] : [`a cut file is refused as ${code}`]
  }
}

async function work(request: EraseRequest): Promise<number> {
  const keepsake = await openMemory({ path: request.path, busyTimeoutMs: 30_000 })
  const failed = await rememberAndErase(keepsake, request)
  await keepsake.close()
  return failed
}

if (isChild(import.meta.url)) await answerParent(work)
