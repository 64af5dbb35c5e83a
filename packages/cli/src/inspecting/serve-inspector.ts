import type { Keepsake, LanguageModel } from 'keepsake'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { loadServer } from '../load-package.ts'
import { print, show, type Shown } from '../output/print.ts'
import { takeStopSignal } from '../stop-signal.ts'

const HOST = '127.0.0.1'
/** Time for running requests to finish; the page has no long ones. */
const GRACE_MS = 2_000

export interface InspectorOptions {
  /** The memory as it was named. */
  readonly db: string
  /** 0: any free port. */
  readonly port: number
  readonly json?: boolean | undefined
  readonly model?: LanguageModel | undefined
  /** Whether the page is read-only. */
  readonly readOnly?: boolean
}

/** Serves the inspector until it is stopped. A key in the printed address keeps other accounts of the machine out. */
export async function serveInspector(io: Io, keepsake: Keepsake, options: InspectorOptions): Promise<void> {
  const { db, port, json = false, model = null, readOnly = false } = options
  const { makePassingKey, openServer, writeLog } = await loadServer()
  const { key, keys } = makePassingKey(readOnly ? ['read', 'admin'] : undefined)
  const signal = takeStopSignal()
  try {
    const server = await openServer({
      keepsake,
      model,
      keys,
      host: HOST,
      port,
      graceMs: GRACE_MS,
      auditDays: 0,
      log: writeLog(io.stderr),
    }).catch((error: unknown) => {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
      if (!isTaken) throw error
      const why = `Another program has port ${port}: choose another with --port, or leave it out.`
      throw new CliError(why, EXIT.failure, { cause: error })
    })
    show(io, describeServer(db, server.url, `${server.url}/#key=${key}`), json)
    await signal.stopped
    if (!json) print(io, 'Stopped.')
    await server.close()
  } finally {
    signal.release()
  }
}

function describeServer(db: string, url: string, page: string): Shown {
  return {
    data: { url, page, db },
    formatText: ({ bold, dim, accent }) =>
      [
        `${bold(db)} is open at`,
        '',
        `   ${accent(page)}`,
        '',
        dim(
          'It is open on this machine only, for anyone with this address. The key in the address expires when this command ends.',
        ),
        dim('Ctrl-C stops.'),
      ].join('\n'),
  }
}
