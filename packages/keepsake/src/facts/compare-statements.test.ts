import { describe, expect, it } from 'vitest'
import { samePolarity, sameStatement } from './compare-statements.ts'

describe('sameStatement', () => {
  it.each([
    ['The user likes cats.', 'User likes a cat'],
    ['The user lives in Lyon.', 'the USER lives in Lyón!'],
    ["The user doesn't like tea.", 'The user does not like tea'],
    ['她喜欢咖啡。', '她喜欢咖啡'],
    ['The user ate an apple.', 'The user ate the apple.'],
    ['The user ate an apple.', 'user ate a apples'],
    ['He is.', 'he IS.'],
  ])('takes %j and %j for one', (one, other) => {
    expect([sameStatement(one, other), sameStatement(other, one)]).toEqual([true, true])
  })

  it.each([
    ['The user likes cats.', 'The user likes dogs.'],
    ['The user likes cats.', 'The user does not like cats.'],
    ['The user is in debt.', 'The user is out of debt.'],
    ['The user likes her cat.', 'The user likes his cat.'],
    ['The user moved from Lyon to Paris.', 'The user moved from Paris to Lyon.'],
    ['她是老师', '她不是老师'],
    ['He is.', 'She is.'],
    ['He is.', 'The user likes cats.'],
    ['', 'The user likes cats.'],
  ])('tells %j from %j', (one, other) => {
    expect([sameStatement(one, other), sameStatement(other, one)]).toEqual([false, false])
  })

  it('answers the same when it is asked again', () => {
    const ask = (): boolean[] => [sameStatement('He sings.', 'he sings'), sameStatement('He sings.', 'He is')]
    expect([ask(), ask()]).toEqual([
      [true, false],
      [true, false],
    ])
  })
})

describe('samePolarity', () => {
  it.each([
    ['The user has a dog.', 'The user has a dog called Rex.', true],
    ['The user has a dog.', 'The user has no dog.', false],
    ['The user has no dog.', 'The user has no dog called Rex.', true],
    ['The user never sings.', 'The user never, not even in May, sings.', false],
    ["The user can't swim.", 'The user cannot swim.', false],
    ["The user can't swim.", 'The user can not swim.', true],
    ['她有一只狗', '她没有狗', false],
  ])('of %j and %j is %j', (one, other, isSame) => {
    expect(samePolarity(one, other)).toBe(isSame)
  })

  it.each(['no', 'not', 'nor', 'neither', 'never', 'without', '不', '没', '沒', '無', '无', '未', '别'])(
    'counts %j as a denial',
    (word) => {
      expect(samePolarity(`It is so`, `It is ${word} so`)).toBe(false)
    },
  )
})
