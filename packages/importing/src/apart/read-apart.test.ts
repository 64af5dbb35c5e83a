import { closeSync, openSync, writeFileSync } from 'node:fs'
import { afterEach, expect, it } from 'vitest'
import { temporaryFile } from '../../../keepsake/test/temporary-file.ts'
import type { ImportSettings } from '../import-source.ts'
import { FileReading, RefusedFileError, type ReadingLimits } from './read-apart.ts'

const SETTINGS: ImportSettings = { user: 'ana', timeZone: 'UTC', now: Date.now(), by: 'request' }

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

function read(content: string, limits?: ReadingLimits, settings = SETTINGS): FileReading {
  const path = temporaryFile('given')
  writeFileSync(path, content)
  const descriptor = openSync(path, 'r')
  const reading = new FileReading({ descriptor, name: 'given', settings }, limits)
  open.push(async () => {
    await reading.close()
    closeSync(descriptor)
  })
  return reading
}

const refusal = async (reading: FileReading): Promise<RefusedFileError> => {
  const error: unknown = await reading.holds.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof RefusedFileError) return error
  throw new Error('it was not refused', { cause: error })
}

it('says what a file holds, and then gives its turns in their order', async () => {
  const texts = Array.from({ length: 1_234 }, (_, index) => `Line ${index}`)
  const reading = read(texts.map((text) => JSON.stringify({ role: 'user', text })).join('\n'))
  expect(await reading.holds).toMatchObject({ kind: 'turns', survey: { format: 'jsonl', turns: 1_234 } })
  const turns = await Array.fromAsync(reading.turns())
  expect(turns.map(({ turn }) => turn.text)).toEqual(texts)
})

it('asks what a file leaves open, with what can be answered', async () => {
  const { question, format } = await refusal(read('13/03/2026, 19:05 - Al: x\n13/03/2026, 19:06 - Bo: y'))
  expect(format).toBe('whatsapp')
  expect(question).toEqual({
    asks: 'speaker',
    choices: [
      { name: 'Al', turns: 1 },
      { name: 'Bo', turns: 1 },
    ],
  })
})

it('is refused when it takes longer than it may', async () => {
  const long = `${JSON.stringify({ role: 'user', text: 'A walk.' })}\n`.repeat(300_000)
  const { message } = await refusal(read(long, { patienceMs: 100 }))
  expect(message).toMatch(/^given could not be read within 0 seconds\. Split it/)
})

it('is refused when it needs more memory than it may have', async () => {
  const memories = Array.from({ length: 150_000 }, (_, index) => ({
    id: `m${index}`,
    memory: `It is ${index}.`,
  }))
  const { message } = await refusal(read(JSON.stringify(memories), { memoryMb: 10 }))
  expect(message).toMatch(/given needs more than the 10 MB allowed for reading it/)
})
