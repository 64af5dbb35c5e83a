import { HTTPException } from 'hono/http-exception'
import {
  ClosedError,
  InvalidInputError,
  ModelError,
  NotFoundError,
  NotPossibleError,
  openMemory,
  StoreError,
  TurnConflictError,
} from 'keepsake'
import { describe, expect, it } from 'vitest'
import { Problem } from '../problem.ts'
import { translateError } from './errors.ts'

describe('translateError', () => {
  it.each([
    [new NotFoundError('memory', 'm1'), 404, 'not-found'],
    [new NotFoundError('scope', '3'), 404, 'not-found'],
    [new NotFoundError('scope', 3), 503, 'store-busy'],
    [new NotPossibleError('It is live.'), 409, 'not-possible'],
    [new TurnConflictError('t1', 's1'), 409, 'turn-conflict'],
    [new InvalidInputError('No.'), 422, 'invalid-input'],
    [new StoreError('store-busy', 'x'), 503, 'store-busy'],
    [new StoreError('store-full', 'x'), 507, 'store-full'],
    [new StoreError('store-corrupt', 'x'), 500, 'store-corrupt'],
    [new ModelError('x'), 502, 'model-failed'],
    [new ModelError('x', { code: 'model-answer' }), 502, 'model-answer'],
    [new ModelError('x', { code: 'model-budget' }), 429, 'model-budget'],
    [new ClosedError(), 503, 'closed'],
    [new HTTPException(415, { message: 'Only JSON.' }), 415, 'unsupported-media-type'],
    [new HTTPException(418), 418, 'bad-request'],
    [new TypeError('x is not a function'), 500, 'internal'],
    ['thrown', 500, 'internal'],
  ])('%s is %i %s', (error, status, code) => {
    expect(translateError(error)).toMatchObject({ status, code })
  })

  it('says what to send instead of another media type', () => {
    expect(translateError(new HTTPException(415)).message).toContain('Content-Type: application/json')
  })

  it('passes a problem on as it is', () => {
    const problem = new Problem(410, 'gone', 'It is gone.')
    expect(translateError(problem)).toBe(problem)
  })

  it('tells nothing of files, models and code', () => {
    for (const error of [
      new StoreError('store-full', 'The store "/srv/secret.db" is full'),
      new ModelError('The model said: "Ana lives in Lyon"', { answer: 'Ana lives in Lyon' }),
      new Error('connect 10.0.0.3:5432'),
      new HTTPException(500, { message: 'at /srv/app.js' }),
    ])
      expect(translateError(error).message).not.toMatch(/srv|Lyon|10\.0/)
  })

  it('says how long to wait where that is known', () => {
    expect(translateError(new StoreError('store-busy', 'x')).retryAfter).toBe(1)
    const budget = new ModelError('x', { code: 'model-budget', retryAfterMs: 61_200 })
    expect(translateError(budget).retryAfter).toBe(62)
    expect(translateError(new StoreError('store-corrupt', 'x')).retryAfter).toBeNull()
  })

  it('names the field that the engine could not take', async () => {
    const keepsake = await openMemory({ path: ':memory:' })
    const scope = keepsake.scope({ user: 'ana' })
    const turns = [
      { role: 'user', text: 'Hello.' },
      { role: 'user', text: 'Hello.', id: ' ' },
    ] as const
    const wrongTurn: unknown = await scope.remember(turns).catch((error: unknown) => error)
    expect(translateError(wrongTurn).fields).toMatchObject([{ field: 'turns.1.id' }])
    const wrongLimit: unknown = await scope.recall('Who?', { limit: 0 }).catch((error: unknown) => error)
    expect(translateError(wrongLimit).fields).toMatchObject([
      { field: 'limit', problem: 'must be a whole number from 1 to 1000, but it is the number 0.' },
    ])
    await keepsake.close()
  })
})
