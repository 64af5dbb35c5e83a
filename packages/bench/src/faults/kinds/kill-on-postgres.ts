import { setTimeout as sleep } from 'node:timers/promises'
import { letTalk, onPostgres } from './on-postgres.ts'

/** Of two processes that talk and read on one server, one is killed. */
export const killOnPostgres = onPostgres(
  { name: 'kill-on-postgres', about: 'Of two processes that work on one Postgres server, one is killed.' },
  async ({ talkers, draw }) => {
    const [survivor, victim] = talkers
    await sleep(draw.whole(300, 2_500))
    await victim?.kill()
    if (survivor !== undefined) await letTalk([survivor])
    return { kills: 1 }
  },
)
