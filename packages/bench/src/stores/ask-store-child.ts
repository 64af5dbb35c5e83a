import { openMemory, openSqliteStore, type Store } from 'keepsake'
import { answerFurther, isChild, tellParent } from '../processes/child.ts'

/** What is started with an {@link AskRequest}. */
export const ASK_CHILD = import.meta.url

/** Where the memory is that a process asks: in a file, or in a schema of a database. */
export type AskRequest = { readonly path: string } | { readonly address: string; readonly schema: string }

/** What a process is asked, as JSON. */
export interface AskedRecall {
  readonly user: string
  readonly question: string
}

export const RETENTION = { when: 'never' } as const

async function open(request: AskRequest): Promise<Store> {
  if ('path' in request) return openSqliteStore({ path: request.path, synchronous: 'normal' })
  const { openPostgresStore } = await import('@keepsake/postgres')
  return openPostgresStore({ connectionString: request.address, schema: request.schema })
}

/** Asks as an application would, and says how many milliseconds an answer took. */
async function ask(request: AskRequest): Promise<void> {
  const memory = await openMemory({ store: await open(request), retention: RETENTION })
  // What a process does once (loading the model of meaning, making connections) is nobody's recall.
  await memory.scope({ user: 'nobody' }).recall('Anything?')
  answerFurther(async (what) => {
    if (what === 'close') return memory.close()
    const { user, question } = JSON.parse(what) as AskedRecall
    const began = performance.now()
    await memory.scope({ user }).recall(question)
    return performance.now() - began
  })
  tellParent('open')
}

if (isChild(import.meta.url)) await ask(JSON.parse(process.argv[2] ?? '{}') as AskRequest)
