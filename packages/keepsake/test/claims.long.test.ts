import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { answerDutifully } from './dutiful-reader.ts'
import { runToEnd } from './kill-child.ts'
import { startEndpoint, type Endpoint, type Reply } from './model-endpoint.ts'
import { factsOf, requireSound } from './require-sound.ts'
import { openPatiently, OTTERS, tellOne } from './talk-in-trouble.ts'
import { temporaryFile } from './temporary-file.ts'

const CHILD = join(import.meta.dirname, 'model-child.ts')

/** An endpoint that holds the first reading of a segment until it is let go. */
async function holdingFirst() {
  const reached = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  let readings = 0
  const endpoint = await startEndpoint(async (asked): Promise<Reply> => {
    if (asked.prompt === 'segment' && (readings += 1) === 1) {
      reached.resolve()
      await gate.promise
    }
    return answerDutifully(asked)
  })
  return { endpoint, reached: reached.promise, letGo: () => gate.resolve(), readings: () => readings }
}

function tellElsewhere(path: string, endpoint: Endpoint): ChildProcess {
  const child = spawn(process.execPath, [CHILD, path, endpoint.url, 'I feed otters.'], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

it('two processes ask a model once for the same', async () => {
  const path = temporaryFile()
  const { endpoint, reached, letGo, readings } = await holdingFirst()
  const here = await openPatiently(endpoint, { path })
  await tellOne(here.scope({ user: 'ana' }), 'one', 'I feed otters.')
  await reached
  const other = runToEnd(CHILD, [path, endpoint.url])
  setTimeout(letGo, 2_000)
  await Promise.all([other, here.drain()])
  expect(readings()).toBe(1)
  expect(await here.jobs()).toEqual([])
  await requireSound(here.scope({ user: 'ana' }))
})

it('a killed worker’s work is taken up at once by a process that was open all the while', async () => {
  const path = temporaryFile()
  const { endpoint, reached, readings } = await holdingFirst()
  const here = await openPatiently(endpoint, { path })
  const child = tellElsewhere(path, endpoint)
  await reached
  child.kill('SIGKILL')
  await once(child, 'close')
  const ana = here.scope({ user: 'ana' })
  await expect.poll(() => factsOf(ana), { timeout: 5_000 }).toEqual([OTTERS])
  await expect.poll(() => here.jobs(), { timeout: 5_000 }).toEqual([])
  expect(readings()).toBe(2)
  await requireSound(ana)
})

it(
  'a suspended worker’s work is taken up after its lease, and it changes nothing when it goes on',
  { timeout: 90_000 },
  async () => {
    const path = temporaryFile()
    const { endpoint, reached, letGo, readings } = await holdingFirst()
    const here = await openPatiently(endpoint, { path })
    const child = tellElsewhere(path, endpoint)
    await reached
    child.kill('SIGSTOP')
    const ana = here.scope({ user: 'ana' })
    await expect.poll(() => here.jobs(), { timeout: 60_000, interval: 200 }).toEqual([])
    expect(await factsOf(ana)).toEqual([OTTERS])
    expect(readings()).toBe(2)
    const before = await requireSound(ana)
    letGo()
    child.kill('SIGCONT')
    await once(child, 'close')
    expect(child.exitCode).toBe(0)
    const after = await requireSound(ana)
    expect(after.operations).toEqual(before.operations)
  },
)
