import { expect, it } from 'vitest'
import { openMemory } from '../memory.ts'

/** Remembers one turn a day, some with a speaker's name, and reads each at once. */
async function factsAfter(...said: (readonly [text: string, speaker?: string])[]): Promise<string[]> {
  const keepsake = await openMemory({ path: ':memory:' })
  const scope = keepsake.scope({ user: 'u' })
  for (const [day, [text, speaker]] of said.entries()) {
    const at = Date.UTC(2026, 2, 1 + day)
    await scope.remember([{ role: 'user', text, at, ...(speaker === undefined ? {} : { speaker }) }])
    await scope.drain()
  }
  const facts = await scope.memories({ forms: ['fact'] })
  await keepsake.close()
  return facts
    .map(({ subject, value, validUntil }) => `${subject}: ${value}${validUntil === null ? '' : ' (ended)'}`)
    .toSorted()
}

it('A person who is named by some turns and not by others is one person', async () => {
  expect(await factsAfter(['I live in Lisbon.', 'Ana'], ['I live in Porto.'])).toEqual([
    'Ana: Lisbon (ended)',
    'Ana: Porto',
  ])
  expect(await factsAfter(['I live in Lisbon.'], ['I live in Porto.', 'Ana'])).toEqual([
    'user: Lisbon (ended)',
    'user: Porto',
  ])
})

it('An end that is said without a name reaches the facts under the name', async () => {
  expect(await factsAfter(['I work at Siemens.', 'Ana'], ["I don't work at Siemens anymore."])).toEqual([
    'Ana: Siemens (ended)',
  ])
})

it('A longer form of a name is the same person', async () => {
  expect(
    await factsAfter(['I live in Lisbon.'], ['I live in Porto.', 'Ana'], ['I work at Siemens.', 'Ana S.']),
  ).toEqual(['user: Lisbon (ended)', 'user: Porto', 'user: Siemens'])
})

it('One has one boss, whom a new one replaces', async () => {
  expect(await factsAfter(['My boss is called Ines.'], ['I have a new boss, Paul.'])).toEqual([
    'user: new boss Paul',
  ])
})

it('Two people with names stay two', async () => {
  expect(await factsAfter(['I live in Lisbon.', 'Ana'], ['I live in Porto.', 'Bo'])).toEqual([
    'Ana: Lisbon',
    'Bo: Porto',
  ])
})
