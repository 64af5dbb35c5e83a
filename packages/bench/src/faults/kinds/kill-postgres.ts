import { setTimeout as sleep } from 'node:timers/promises'
import { letTalk, onPostgres } from './on-postgres.ts'

/** The server is killed while two processes talk and read, and starts again on what its disk holds. */
export const killPostgres = onPostgres(
  { name: 'kill-postgres', about: 'The Postgres server is killed under two processes, and starts again.' },
  async ({ server, talkers, draw }) => {
    const kills = draw.whole(1, 2)
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(draw.whole(300, 1_500))
      await server.kill()
      await sleep(draw.whole(0, 500))
      await server.begin()
    }
    await letTalk(talkers)
    return { kills }
  },
)
