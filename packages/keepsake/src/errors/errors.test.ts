import { describe, expect, it } from 'vitest'
import {
  ClosedError,
  NotFoundError,
  NotPossibleError,
  StoreError,
  type StoreErrorCode,
  TurnConflictError,
} from './errors.ts'
import { InvalidInputError, KeepsakeError, ModelError } from '@keepsake/text'

const CAUSE = new Error('the cause')

describe('an error', () => {
  it.each<[KeepsakeError, name: string, code: string, details: object]>([
    [new ClosedError(), 'ClosedError', 'closed', {}],
    [new InvalidInputError('no', { line: 7 }, CAUSE), 'InvalidInputError', 'invalid-input', { line: 7 }],
    [new NotFoundError('memory', 'm1'), 'NotFoundError', 'not-found', { what: 'memory', id: 'm1' }],
    [new NotPossibleError('no', { memory: 'm1' }), 'NotPossibleError', 'not-possible', { memory: 'm1' }],
    [new TurnConflictError('t1', 's1'), 'TurnConflictError', 'turn-conflict', { turn: 't1', session: 's1' }],
    [new ModelError('no'), 'ModelError', 'model-failed', {}],
    [new KeepsakeError('not-found', 'no'), 'KeepsakeError', 'not-found', {}],
  ])('says by name, code and details what it is about: %s', (error, name, code, details) => {
    expect(error).toBeInstanceOf(KeepsakeError)
    expect([error.name, error.code, error.details, error.isRetryable]).toEqual([name, code, details, false])
  })

  it('says what to do about it', () => {
    expect(new ClosedError().message).toBe('This memory is closed. Open it again with openMemory() to go on.')
    expect(new NotFoundError('session', 's1').message).toBe(
      'There is no session "s1" here. Names and ids are per user: list what there is to see them.',
    )
    expect(new TurnConflictError('t1', 's1').message).toBe(
      'Turn "t1" is already stored with other content (session "s1"). Turns are never edited: the first was kept and nothing of this call was stored. Give the new turn an id of its own.',
    )
  })

  it('names its cause where there is one', () => {
    expect(new InvalidInputError('no', {}, CAUSE).cause).toBe(CAUSE)
    expect(new StoreError('store-failed', 'no', { cause: CAUSE }).cause).toBe(CAUSE)
    expect('cause' in new InvalidInputError('no')).toBe(false)
  })
})

describe('an error of the store', () => {
  it.each<[StoreErrorCode, boolean]>([
    ['store-busy', true],
    ['store-full', true],
    ['store-read-only', false],
    ['store-corrupt', false],
    ['store-schema', false],
    ['store-failed', false],
  ])('of code %s may be tried again: %s', (code, isRetryable) => {
    expect(new StoreError(code, 'no')).toMatchObject({ name: 'StoreError', code, isRetryable })
  })
})

describe('an error of a model', () => {
  it('tells how long to wait and what was answered, where these are known', () => {
    expect(new ModelError('no')).toMatchObject({ retryAfterMs: null, answer: null })
    const told = {
      code: 'model-answer',
      isRetryable: true,
      retryAfterMs: 5,
      answer: 'Roses',
      details: { call: 1 },
    } as const
    expect(new ModelError('no', told)).toMatchObject({ ...told, message: 'no' })
  })
})
