import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { profileProcess, timesByRoom } from './cpu-profile.ts'

const frame = (functionName: string, url = '') => ({
  functionName,
  url,
  scriptId: '1',
  lineNumber: 0,
  columnNumber: 0,
})

it('gives each sample to its room, and what is native to its caller', () => {
  const nodes = [
    { id: 1, callFrame: frame('(root)'), children: [2, 5, 6] },
    {
      id: 2,
      callFrame: frame('recall', 'file:///x/packages/keepsake/dist/recall/recall-memories.js'),
      children: [3, 4],
    },
    { id: 3, callFrame: frame('all') },
    { id: 4, callFrame: frame('parse', 'file:///x/node_modules/a/node_modules/@b/zod/index.js') },
    { id: 5, callFrame: frame('(idle)') },
    { id: 6, callFrame: frame('(garbage collector)') },
  ]
  const samples = [2, 3, 3, 4, 5, 6]
  const timeDeltas = samples.map(() => 1_000)
  expect(timesByRoom({ nodes, samples, timeDeltas, startTime: 0, endTime: 6_000 })).toEqual({
    'keepsake/recall': 3,
    '@b/zod': 1,
    'garbage collection': 1,
  })
})

it('takes a profile of this very process', async () => {
  const stop = await profileProcess()
  for (let round = 0; round < 40_000; round += 1) createHash('sha256').update(String(round)).digest('hex')
  const times = await stop()
  expect(Object.values(times).reduce((sum, time) => sum + time, 0)).toBeGreaterThan(5)
})

it('knows the room of what is put together into one file', async () => {
  const entry = new URL(import.meta.resolve('keepsake'))
  const lines = readFileSync(entry, 'utf8').split('\n')
  const lineNumber = lines.findIndex((line) => line.startsWith('async function recallMemories('))
  expect(lineNumber).toBeGreaterThan(0)
  const callFrame = { ...frame('recallMemories', entry.href), lineNumber }
  const nodes = [{ id: 1, callFrame, children: [] }]
  expect(timesByRoom({ nodes, samples: [1], timeDeltas: [2_000], startTime: 0, endTime: 2_000 })).toEqual({
    'keepsake/recall': 2,
  })
})
