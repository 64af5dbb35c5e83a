// Kills a migration from one store to another.
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerParent, Child, isChild } from '@keepsake/bench/parts'
import { NotPossibleError, openMemory, openSqliteStore } from 'keepsake'
import { migrateStore } from 'keepsake/store'
import { makeStatement } from './talkers.ts'
import { Ledger, findBroken, type Fault } from './trial.ts'

const USERS = 12

type Migration = Readonly<Record<'from' | 'to', string>>

/**
 * A migration is killed and run again, in some trials by two processes. Afterwards the target must have every user, and the source must be
 * unchanged.
 */
export const killMigrate: Fault = {
  name: 'kill-migrate',
  about: 'A migration to another store is killed and run again, sometimes by two processes at once.',
  async try({ folder, draw }) {
    const files = { from: join(folder, 'from.db'), to: join(folder, 'to.db') }
    const ledger = new Ledger()
    const keepsake = await openMemory({ path: files.from, synchronous: 'normal' })
    for (let number = 0; number < USERS; number += 1) {
      const user = `person-${number}`
      const texts = Array.from({ length: 4 }, (_, at) => makeStatement(draw, `${number} ${at}`))
      await keepsake.scope({ user }).remember(texts.map((text) => ({ role: 'user', text })))
      for (const text of texts) ledger.keep(user, text)
    }
    await keepsake.drain()
    await keepsake.close()
    const before = await hashFile(files.from)
    const victim = new Child<number>(import.meta.url, files)
    victim.started.catch(() => undefined)
    await sleep(draw.whole(250, 900))
    await victim.kill()
    const runners = draw.chance(0.3) ? 2 : 1
    const ends = await Promise.allSettled(Array.from({ length: runners }, () => migrate(files)))
    // Ignores refusals: the second of two runners is refused, and so is a run after the end of the migration.
    const failed = ends.filter(
      (end) => end.status === 'rejected' && !(end.reason instanceof NotPossibleError),
    )
    const changed = (await hashFile(files.from)) === before ? [] : ['the source was changed']
    return {
      tried: { kills: 1, runners, acknowledged: ledger.size },
      broken: [...failed.map(String), ...changed, ...(await findBroken({ path: files.to, ledger }))],
    }
  },
}

const hashFile = async (path: string): Promise<string> => hash('sha256', await readFile(path))

async function migrate({ from, to }: Migration): Promise<number> {
  const source = await openSqliteStore({ path: from, readOnly: true })
  const target = await openSqliteStore({ path: to })
  try {
    return (await migrateStore({ from: source, to: target, source: from, collections: [] })).people
  } finally {
    await target.close()
    await source.close()
  }
}

if (isChild(import.meta.url)) await answerParent(migrate)
