import { openMemory, type PresetName } from 'keepsake'
import { answerParent, askChild, isChild } from '../processes/child.ts'
import { collectGarbage } from '../processes/process-usage.ts'
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

/**
 * Opens a memory in a process of its own and asks it one question.
 * @throws Error when that process fails.
 */
export function openOnce(request: OpenRequest): Promise<Awaited<ReturnType<typeof open>>> {
  return askChild(import.meta.url, request)
}

async function open({ path, user, question, preset, dimensions }: OpenRequest) {
  // The store's modules are loaded with the first store: that is counted with the start, not the opening.
  await (await openMemory({ path: ':memory:' })).close()
  // From the start of the process until the modules were loaded.
  const startMs = performance.now()
  collectGarbage()
  const before = process.memoryUsage.rss()
  const start = performance.now()
  const embedding = dimensions === null ? {} : { embedding: seededVectors(dimensions) }
  const memory = await openMemory({ path, preset, ...embedding })
  await memory.scope({ user }).recall(question, { reinforce: false })
  const openMs = performance.now() - start
  collectGarbage()
  const residentBytes = process.memoryUsage.rss() - before
  const { cacheBytes } = await memory.stats()
  await memory.close()
  return { openMs, startMs, residentBytes, cacheBytes }
}

if (isChild(import.meta.url)) await answerParent(open)
