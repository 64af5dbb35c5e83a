import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Child } from '../../processes/child.ts'
import type { Fault } from '../fault.ts'
import { findBroken } from '../find-broken.ts'
import { readNotes, TALKER, type TalkRequest } from './talker.ts'

const RUNNERS = 3
const LATEST_MS = 700

/** Processes make the schema of one new store at the same time, by the migrations; now and then one is killed in the middle. */
export const raceOpening: Fault = {
  name: 'race-migrations',
  about: 'Three processes run the migrations of one new store at once; one may be killed.',
  async try({ folder, draw, seed }) {
    const path = join(folder, 'memory.db')
    const notes = join(folder, 'acknowledged.jsonl')
    const runners = Array.from({ length: RUNNERS }, (_, number) => {
      const request = {
        path,
        notes,
        name: `runner ${number}`,
        users: ['ana'],
        rounds: 2,
        seed: seed + number,
      }
      return new Child<number>(TALKER, request satisfies TalkRequest)
    })
    const [victim, ...others] = runners
    const isKilled = draw.chance(0.5)
    if (isKilled) {
      victim?.started.catch(() => undefined)
      await sleep(draw.whole(0, LATEST_MS))
      await victim?.kill()
    }
    for (const runner of isKilled ? others : runners) {
      await runner.started
      await runner.release()
    }
    const promised = readNotes(notes)
    return {
      tried: { runners: RUNNERS, kills: isKilled ? 1 : 0, acknowledged: promised.size },
      broken: await findBroken({ path, promised }),
    }
  },
}
