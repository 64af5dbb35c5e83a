import { hostname } from 'node:os'
import { expect, it } from 'vitest'
import { makeHolder, stateOfHolder } from './process-holder.ts'

it('tells who still runs, here or in another process, from who does not', () => {
  const holder = makeHolder()
  expect(stateOfHolder(holder.name)).toBe('alive')
  expect(stateOfHolder(`${hostname()}/1/x`)).toBe('alive')
  holder.release()
  expect(stateOfHolder(holder.name)).toBe('dead')
})

it('tells an earlier process with our number from ours, and knows nothing of other machines', () => {
  expect(stateOfHolder(`${hostname()}/${process.pid}/earlier`)).toBe('dead')
  expect(stateOfHolder('elsewhere/1/x')).toBe('unknown')
})
