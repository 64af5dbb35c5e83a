import { setTimeout as sleep } from 'node:timers/promises'
import { letTalk, onPostgres } from './on-postgres.ts'

/** The server cuts every connection again and again while two processes talk and read. */
export const cutPostgres = onPostgres(
  { name: 'cut-postgres', about: 'Connections to the Postgres server are cut under two processes.' },
  async ({ server, talkers, draw }) => {
    const through = letTalk(talkers).then(() => true)
    through.catch(() => undefined)
    let cuts = 0
    for (let isThrough = false; !isThrough;) {
      isThrough = await Promise.race([through, sleep(draw.whole(20, 400), false)])
      const cut = await server.ask(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'keepsake'`,
      )
      cuts += cut.length
    }
    return { cuts }
  },
)
