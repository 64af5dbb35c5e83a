import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { NotPossibleError, openMemory } from 'keepsake'
import { Child } from '../../processes/child.ts'
import type { Fault } from '../fault.ts'
import { findBroken } from '../find-broken.ts'
import { Promised } from '../promised.ts'
import { MIGRATOR, migrateFile } from './migrator.ts'
import { sayingOf } from './talker.ts'

const PEOPLE = 12
const SOONEST_MS = 250
const LATEST_MS = 900

/** A migration is killed on the way and run again, now and then by two at once; the target has everybody, the source is untouched. */
export const killMigrate: Fault = {
  name: 'kill-migrate',
  about:
    'A migration to another store is killed on the way, and gone on with, sometimes by two processes at once.',
  async try({ folder, draw }) {
    const [from, to] = [join(folder, 'from.db'), join(folder, 'to.db')]
    const promised = new Promised()
    const keepsake = await openMemory({ path: from, synchronous: 'normal' })
    for (let person = 0; person < PEOPLE; person += 1) {
      const turns = Array.from({ length: 4 }, (_, at) => ({
        role: 'user' as const,
        text: sayingOf(draw, `${person} ${at}`),
      }))
      await keepsake.scope({ user: `person-${person}` }).remember(turns)
      for (const { text } of turns) promised.keep(`person-${person}`, text)
    }
    await keepsake.drain()
    await keepsake.close()
    const before = await hashOf(from)
    const victim = new Child<number>(MIGRATOR, { from, to })
    victim.started.catch(() => undefined)
    await sleep(draw.whole(SOONEST_MS, LATEST_MS))
    await victim.kill()
    const runners = draw.chance(0.3) ? 2 : 1
    const ends = await Promise.allSettled(Array.from({ length: runners }, () => migrateFile({ from, to })))
    // Who comes second is refused, and so is whoever comes after the end.
    const failed = ends.filter(
      (one) => one.status === 'rejected' && !(one.reason instanceof NotPossibleError),
    )
    const changed = (await hashOf(from)) === before ? [] : ['the source was changed']
    return {
      tried: { kills: 1, runners, acknowledged: promised.size },
      broken: [...failed.map(String), ...changed, ...(await findBroken({ path: to, promised }))],
    }
  },
}

async function hashOf(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
}
