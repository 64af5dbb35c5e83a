import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openMemory, type PresetName } from 'keepsake'
import { seededVectors } from './generate.ts'

/** What to open, in a process that has done nothing else. */
export interface OpenRequest {
  readonly path: string
  readonly user: string
  readonly question: string
  readonly preset: PresetName
  /** Dimensions of the seeded vectors; `null` for the built-in embedder. */
  readonly dimensions: number | null
}

export interface OpenResult {
  /** From opening the file to the answer of the first recall. */
  readonly openMs: number
  /** From the start of the process until the modules were loaded: not in `openMs`. */
  readonly startMs: number
  /** Growth of resident memory over the opening and the recall, garbage collected before and after. */
  readonly residentBytes: number
  /** What the caches say they take. */
  readonly cacheBytes: number
}

/**
 * Opens a memory in a process of its own and asks it one question.
 * @throws Error when that process fails.
 */
export function openOnce(request: OpenRequest): Promise<OpenResult> {
  const { promise, resolve, reject } = Promise.withResolvers<OpenResult>()
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(request)])
  child.once('message', (result) => {
    resolve(result as OpenResult)
    // The channel keeps the process alive until the answer has arrived.
    child.disconnect()
  })
  child.once('error', reject)
  child.once('exit', (code) => {
    // Without effect when the answer came first.
    reject(new Error(`The process that opened ${request.path} ended with code ${code} and no answer.`))
  })
  return promise
}

async function answer(request: OpenRequest): Promise<OpenResult> {
  const { path, user, question, preset, dimensions } = request
  await loadModules()
  const startMs = performance.now()
  const collect = garbageCollector()
  collect()
  const before = process.memoryUsage.rss()
  const start = performance.now()
  const embedding = dimensions === null ? {} : { embedding: seededVectors(dimensions) }
  const memory = await openMemory({ path, preset, ...embedding })
  await memory.scope({ user }).recall(question, { reinforce: false })
  const openMs = performance.now() - start
  collect()
  const residentBytes = process.memoryUsage.rss() - before
  const { cacheBytes } = await memory.stats()
  await memory.close()
  return { openMs, startMs, residentBytes, cacheBytes }
}

/** The store's modules are loaded with the first store; loading modules is counted with the start, not the opening. */
async function loadModules(): Promise<void> {
  const memory = await openMemory({ path: ':memory:' })
  await memory.close()
}

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  const result = await answer(JSON.parse(process.argv[2] ?? '{}') as OpenRequest)
  process.send(result)
}
