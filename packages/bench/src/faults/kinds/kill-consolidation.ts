import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Child } from '../../processes/child.ts'
import type { Fault } from '../fault.ts'
import { findBroken } from '../find-broken.ts'
import { readNotes, TALKER, type TalkRequest } from './talker.ts'

const ROUNDS = 12
/** After it was started: its first third of a second goes by before it has opened the file. */
const SOONEST_MS = 300
const LATEST_MS = 1_100

/** Two processes talk to the same people and read what each other was told; one is killed on the way. */
export const killConsolidation: Fault = {
  name: 'kill-consolidation',
  about: 'Of two processes that work for the same people on one store, one is killed.',
  async try({ folder, draw, seed }) {
    const path = join(folder, 'memory.db')
    const notes = join(folder, 'acknowledged.jsonl')
    const start = (name: string, own: number): Child<number> => {
      const request = { path, notes, name, users: ['ana', 'ben'], rounds: ROUNDS, seed: seed + own }
      return new Child<number>(TALKER, request satisfies TalkRequest)
    }
    const survivor = start('survivor', 0)
    const victim = start('victim', 7_919)
    victim.started.catch(() => undefined)
    await sleep(draw.whole(SOONEST_MS, LATEST_MS))
    await victim.kill()
    await survivor.started
    await survivor.release()
    const promised = readNotes(notes)
    return {
      tried: { kills: 1, acknowledged: promised.size },
      broken: await findBroken({ path, promised }),
    }
  },
}
