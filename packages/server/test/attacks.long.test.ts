import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openKeys } from '../src/index.ts'
import type { AttackRequest } from './attack-process.ts'
import { ATTACKS } from './attacks.ts'

/** Length of each attack. The bystander states a fact at its start, so that longer attacks prove no more. */
const SECONDS = 1.5
/** Milliseconds after which a fact counts as not learned. */
const PATIENCE_MS = 60_000
const PROCESS = fileURLToPath(new URL('attack-process.ts', import.meta.url))
const USER = '/v1/scopes/bystander'

/** What another key saw. */
interface Seen {
  recalled: number
  failed: number
  stated: number
  learned: number
}

let folder: string
const children: ChildProcess[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keepsake-attacks-'))
})
afterEach(async () => {
  for (const child of children.splice(0))
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
  await rm(folder, { recursive: true, force: true })
})

/** Starts a process and waits for its one answer. */
async function start<Answer>(...args: string[]): Promise<Answer> {
  const child = fork(PROCESS, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  children.push(child)
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the process "${args[0]}" ended with code ${code} and gave no answer`)
  })
  const [answer] = await Promise.race([once(child, 'message'), ended])
  ended.catch(() => undefined)
  return answer as Answer
}

/** Recalls every 20 ms and states a new fact every 1.5 s, until `isOver`. */
async function standBy(url: string, key: string, isOver: () => boolean): Promise<Seen> {
  const seen: Seen = { recalled: 0, failed: 0, stated: 0, learned: 0 }
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const post = async (path: string, body: object): Promise<boolean> => {
    const response = await fetch(`${url}${USER}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    }).catch(() => null)
    await response?.arrayBuffer()
    if (response?.ok !== true) seen.failed += 1
    return response?.ok === true
  }
  const isLearned = async (name: string): Promise<boolean> => {
    const response = await fetch(`${url}${USER}/persona`, { headers }).catch(() => null)
    return ((await response?.text()) ?? '').includes(name)
  }
  const recall = async (): Promise<void> => {
    while (!isOver()) {
      if (await post('/recall', { question: 'What is my dog called?' })) seen.recalled += 1
      await sleep(20)
    }
  }
  const stateFacts = async (): Promise<void> => {
    for (let number = 0; !isOver(); number += 1) {
      const name = `Rex${number}`
      if (!(await post('/turns', { turns: [{ role: 'user', text: `I have a dog named ${name}.` }] })))
        continue
      seen.stated += 1
      const until = performance.now() + PATIENCE_MS
      let isKnown = await isLearned(name)
      while (!isKnown && performance.now() < until) {
        await sleep(50)
        isKnown = await isLearned(name)
      }
      if (isKnown) seen.learned += 1
      for (let waited = 0; waited < 1_500 && !isOver(); waited += 50) await sleep(50)
    }
  }
  await Promise.all([recall(), stateFacts()])
  return seen
}

async function makeKeys(path: string): Promise<{ readonly own: string; readonly attacker: string }> {
  const { keys, close } = await openKeys(path)
  try {
    const unlimited = { requestsPerMinute: 1e12, bytesPerMinute: 1e12 }
    const own = await keys.create({ name: 'bystander', ...unlimited })
    // With the limits that every key has, and every permission.
    const attacker = await keys.create({ name: 'attacker', actions: ['read', 'write', 'erase', 'admin'] })
    return { own: own.key, attacker: attacker.key }
  } finally {
    await close()
  }
}

describe('one key that attacks', () => {
  it('there are seventeen ways', () => expect(Object.keys(ATTACKS)).toHaveLength(17))

  it.each(Object.keys(ATTACKS))(
    'leaves another key served, and learning what it states: %s',
    async (name) => {
      const path = join(folder, 'memory.db')
      const { own, attacker } = await makeKeys(path)
      const url = await start<string>('serve', path)
      const until = performance.now() + SECONDS * 1_000
      const request: AttackRequest = { name, url, key: attacker, seconds: SECONDS }
      const [seen, counts] = await Promise.all([
        standBy(url, own, () => performance.now() > until),
        start<Record<string, number>>('attack', JSON.stringify(request)),
      ])
      expect(seen.failed).toBe(0)
      expect(seen.recalled).toBeGreaterThan(0)
      expect(seen.stated).toBeGreaterThan(0)
      expect(seen.learned).toBe(seen.stated)
      // Otherwise nothing was tried. Slow bodies get no answer that is counted.
      const asked = Object.values(counts).reduce((sum, count) => sum + count, 0)
      if (name !== 'slow-bodies') expect(asked).toBeGreaterThan(0)
      // Turns and an export come before the first import.
      if (name === 'imports') expect((counts['200'] ?? 0) + (counts['201'] ?? 0)).toBeGreaterThan(2)
    },
    600_000,
  )
})
