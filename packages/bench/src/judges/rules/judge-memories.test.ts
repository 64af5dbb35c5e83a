import { expect, it } from 'vitest'
import { deterministicJudge } from '../deterministic-judge.ts'
import { withoutUser } from './judge-memories.ts'

it('takes out the name that a Chinese statement begins with, and no other', () => {
  expect(withoutUser('林小雨住在厦门。', '林小雨')).toBe('住在厦门。')
  expect(withoutUser('她叫林小雨。', '林小雨')).toBe('她叫林小雨。')
  expect(withoutUser('Ana lives in Lyon.', 'Ana')).toBe('Ana lives in Lyon.')
  expect(withoutUser('林小雨住在厦门。', undefined)).toBe('林小雨住在厦门。')
})

it('takes what somebody says of themself for a memory of theirs, in both languages', async () => {
  const told = async (text: string, memory: string, user: string) =>
    (await deterministicJudge.integrity({ expected: text, memories: [memory], user })).verdict
  expect(await told('林小雨住在厦门。', '我住在厦门，房租还行。', '林小雨')).toBe(2)
  expect(await told('林小雨住在厦门。', '林小雨住在厦门。', '林小雨')).toBe(2)
  expect(await told('林小雨住在厦门。', '我住在杭州。', '林小雨')).toBeLessThan(2)
  expect(await told('Ana lives in Lyon.', 'I live in Lyon now.', 'Ana')).toBe(2)
})

it('sees an update in the same way', async () => {
  const { verdict } = await deterministicJudge.update({
    updated: '林小雨住在杭州。',
    originals: ['林小雨住在厦门。'],
    memories: ['我现在住在杭州。'],
    user: '林小雨',
  })
  expect(verdict).toBe('correct')
})
