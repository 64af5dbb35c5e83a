import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openMemory, openSqliteStore, type Keepsake } from 'keepsake'
import { seededDraw } from '../../metrics/seeded-draw.ts'
import { answerParent, isChild } from '../../processes/child.ts'
import { Promised } from '../promised.ts'

export interface EraseWork {
  readonly path: string
  /** Where each acknowledged turn and erasure is noted, a line of JSON each; outside the memory's folder. */
  readonly notes: string
  readonly user: string
  readonly rounds: number
  readonly seed: number
}

/** `keep`: a turn was acknowledged. `release`: its erasure begins. `erase`: that was acknowledged. */
type Noted = readonly [what: 'keep' | 'release' | 'erase', user: string, text: string]

const ROOM = ' and so it went on'.repeat(30)

/** A word that stands in no other turn. */
export function markOf(user: string, round: number): string {
  return `word${user}x${round}end`
}

/** Remembers and erases, one after the other, until it is through, killed, or refused. @returns how often it was refused */
export async function eraseOn(keepsake: Keepsake, work: Omit<EraseWork, 'path'>): Promise<number> {
  const { notes, user, rounds, seed } = work
  const draw = seededDraw(seed)
  const scope = keepsake.scope({ user })
  const note = (...noted: Noted): void => appendFileSync(notes, `${JSON.stringify(noted)}\n`)
  const kept: { readonly id: string; readonly text: string }[] = []
  let refused = 0
  for (let round = 0; round < rounds; round += 1) {
    const turn = { id: `${user}-${round}`, text: `Here is ${markOf(user, round)}${ROOM}.` }
    try {
      await scope.remember({ role: 'user', ...turn })
      note('keep', user, turn.text)
      kept.push(turn)
      const [gone] = draw.chance(0.4) ? draw.shuffled(kept) : []
      if (gone === undefined) continue
      note('release', user, gone.text)
      kept.splice(kept.indexOf(gone), 1)
      await scope.erase({ turns: [gone.id] })
      note('erase', user, gone.text)
    } catch {
      // The disk is full, or cannot be written to: what was acknowledged before has to stand.
      refused += 1
    }
  }
  return refused
}

/** What was acknowledged, and the words that must stand in no file. */
export function readErasing(notes: string): {
  readonly promised: Promised
  readonly erased: readonly string[]
} {
  const promised = new Promised()
  const erased: string[] = []
  if (!existsSync(notes)) return { promised, erased }
  for (const line of readFileSync(notes, 'utf8').split('\n').slice(0, -1)) {
    const [what, user, text] = JSON.parse(line) as Noted
    promised[what](user, text)
    if (what === 'erase') erased.push(/word\w+end/.exec(text)?.[0] ?? text)
  }
  return { promised, erased }
}

/** Opens the memory until all that was erased is proven, and looks for its words in every file. */
export async function findErased(folder: string, path: string, erased: readonly string[]): Promise<string[]> {
  const store = await openSqliteStore({ path })
  try {
    for (const { owner } of await store.listScopes())
      for (const { id } of await store.receipts(owner)) {
        const receipt = await store.proven?.(id, 30_000)
        if (receipt?.scrubbedAt === null) return ['an erasure was not proven within half a minute']
      }
  } finally {
    await store.close()
  }
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  const files = entries.map(({ name }) => readFileSync(join(folder, name)))
  const left = erased.filter((word) => files.some((bytes) => bytes.includes(word)))
  return left.length === 0 ? [] : [`${left.length} erased words stand in a file`]
}

async function work(request: EraseWork): Promise<number> {
  const keepsake = await openMemory({ path: request.path, busyTimeoutMs: 30_000 })
  const refused = await eraseOn(keepsake, request)
  await keepsake.close()
  return refused
}

/** This module, for whoever starts it as a process. */
export const ERASER = import.meta.url

if (isChild(import.meta.url)) await answerParent(work)
