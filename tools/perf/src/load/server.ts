import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ALL,
  defineBenchmark,
  folderOption,
  plainFigures,
  seedOption,
  shareNumber,
  stepEntry,
  wholeNumber,
  type Figure,
  type Step,
} from '@keepsake/bench/parts'
import { Pool } from 'undici'
import { z } from 'zod'
import { askLibrary } from './library.ts'
import { measureTarget, type LoadTarget } from './run-load.ts'
import { makeKey, ServerProcess } from './server-process.ts'

const options = z.object({
  users: wholeNumber(1, 100_000).default(50).meta({ description: 'users' }),
  turns: wholeNumber(1, 1_000_000)
    .default(500)
    .meta({ description: 'turns of each user before the measurement' }),
  connections: wholeNumber(1, 10_000).default(50).meta({ description: 'concurrent calls' }),
  workers: wholeNumber(1, 64).default(1).meta({ description: 'processes of the server' }),
  alone: z.boolean().default(false).meta({ description: 'measure the server without the library' }),
  seconds: wholeNumber(1, 86_400).default(30).meta({ description: 'how long each run takes' }),
  recallShare: shareNumber
    .default(0.8)
    .meta({ value: '<share>', description: 'share of calls that recall; the others remember' }),
  rate: z
    .number()
    .positive('It must be a number above 0.')
    .optional()
    .meta({ description: 'calls a second of the second run', standard: 'half of the rate of the first run' }),
  seed: seedOption,
  folder: folderOption,
})

type Options = Omit<z.output<typeof options>, 'folder'>
type LoadResult = Awaited<ReturnType<typeof measureTarget>>

/** Measures a server on loopback under full load, then at half that rate, and the same calls of the library. */
export const server = defineBenchmark({
  name: 'server',
  about:
    'Loads a server in its own process on loopback with everyday conversations: first as much as it answers, then half of that. Measures the same calls of the library. Takes minutes.',
  examples: ['server --users 20 --turns 100 --seconds 10', 'server --workers 2 --alone --json'],
  options,
  async *open({ folder: parent = tmpdir(), ...given }) {
    const folder = await mkdtemp(join(parent, 'keepsake-server-'))
    yield {
      dataset: 'everyday',
      dataHash: `seed ${given.seed}`,
      systems: given.alone ? ['server'] : ['server', 'library'],
      config: { ...given, rate: given.rate ?? 'half of the first run' },
      tasks: ['load'],
      resumes: 'never',
      total: null,
      steps: loadSteps(given, folder),
      close: () => rm(folder, { recursive: true, force: true }),
    }
  },
})

function* loadSteps(given: Options, folder: string): Generator<Step> {
  const { users, turns, workers, alone } = given
  const filledPath = join(folder, 'filled.db')
  let rate = given.rate ?? null
  const step = (name: string, system: string, measure: () => Promise<Figure[]>): Step => ({
    name,
    measure: async () => [stepEntry(name, [{ system, figures: await measure() }])],
  })
  yield step('filling', 'server', async () => {
    const memories = await askLibrary<number>({ work: 'fill', path: filledPath, users, turns })
    return plainFigures('load', ALL, { memories })
  })
  yield step('the server', 'server', async () => {
    const path = join(folder, 'server.db')
    await copyFile(filledPath, path)
    const key = await makeKey(path)
    const process = await ServerProcess.start({ path, synchronous: 'full', workers })
    const pool = new Pool(process.url, { connections: given.connections })
    try {
      const result = await measureTarget(targetOf(process, pool, key), { ...given, rate })
      rate = result.steady['asked_per_second'] ?? null
      return figuresOf(result)
    } finally {
      await pool.close()
      await process.stop()
    }
  })
  if (alone) return
  yield step('the library', 'library', async () => {
    const path = join(folder, 'library.db')
    await copyFile(filledPath, path)
    return figuresOf(await askLibrary<LoadResult>({ work: 'measure', path, plan: { ...given, rate } }))
  })
}

function figuresOf({ full, steady }: LoadResult): Figure[] {
  return [...plainFigures('load', 'full', full), ...plainFigures('load', 'steady', steady)]
}

/** A target that calls a server over HTTP. */
function targetOf(process: ServerProcess, pool: Pool, key: string): LoadTarget {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return {
    async call(user, call) {
      const isRecall = call.kind === 'recall'
      const body = isRecall ? { question: call.question } : { turns: [{ role: 'user', text: call.text }] }
      const path = `/v1/scopes/${user}/${isRecall ? 'recall' : 'turns'}`
      const response = await pool.request({ method: 'POST', path, headers, body: JSON.stringify(body) })
      await response.body.text()
      if (response.statusCode >= 300) throw new Error(`answered with ${response.statusCode}`)
    },
    usage: () => process.usage(),
    settle: () => process.settle(),
  }
}
