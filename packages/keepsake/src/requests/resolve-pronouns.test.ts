import { describe, expect, it } from 'vitest'
import { continuingSentences, isOnlyAbout } from './resolve-pronouns.ts'
const tells = (sentence: string): boolean => sentence.includes('Tom') || sentence.includes('王敏')

describe('a turn that goes on about somebody', () => {
  it.each([
    ['He is interviewing at another hospital.', 1],
    ['Big step for him. Does that change things?', 1],
    ["And she's nervous. I had soup.", 1],
    ['他下周面试。', 1],
    ['He and Anna are moving.', 0],
    ['My brother called. He is fine.', 0],
    ['It rained all day.', 0],
    ['我妈来了。她很累。', 0],
    ['他们赢了。', 0],
  ])('“%s”: %i sentences', (text, count) => {
    expect(continuingSentences(text, ['Tom'])).toHaveLength(count)
  })

  it.each([
    ['My colleague Tom is interviewing.', true],
    ['Tom is my neighbour.', true],
    ['Tom moved to the coast.', true],
    ['我同事王敏要走了。', true],
    ['I had lunch with Tom and my brother.', false],
    ['Tom met Anna.', false],
    ['Tom called. My sister answered.', false],
    ['王敏和我妈吵架了。', false],
  ])('follows “%s”: %s', (text, expected) => {
    expect(isOnlyAbout(text, tells, ['Tom', '王敏'])).toBe(expected)
  })
})
