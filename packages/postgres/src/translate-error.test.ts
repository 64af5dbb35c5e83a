import { NotFoundError, StoreError } from 'keepsake'
import { describe, expect, it } from 'vitest'
import { withoutPassword } from './connections.ts'
import { translateError } from './translate-error.ts'

const failure = (code: string, message = 'words of the server'): Error =>
  Object.assign(new Error(message), { code })

describe('what Postgres throws', () => {
  it.each<[postgres: string, code: string, isRetryable: boolean]>([
    ['40001', 'store-busy', true],
    ['40P01', 'store-busy', true],
    ['55P03', 'store-busy', true],
    ['57014', 'store-busy', true],
    ['53300', 'store-busy', true],
    ['57P01', 'store-busy', true],
    ['57P03', 'store-busy', true],
    ['08006', 'store-busy', true],
    ['ECONNREFUSED', 'store-busy', true],
    ['ECONNRESET', 'store-busy', true],
    ['53100', 'store-full', true],
    ['53200', 'store-full', true],
    ['25006', 'store-read-only', false],
    ['42501', 'store-read-only', false],
    ['28P01', 'store-failed', false],
    ['3D000', 'store-failed', false],
    ['XX001', 'store-corrupt', false],
    ['42P01', 'store-schema', false],
    ['22021', 'invalid-input', false],
    ['54000', 'invalid-input', false],
    ['99999', 'store-failed', false],
  ])('%s is told as %s, to be tried again: %s', (postgres, code, isRetryable) => {
    const error = translateError(failure(postgres), 'postgres://db/memories')
    expect(error).toMatchObject({
      code,
      isRetryable,
      details: { postgres, database: 'postgres://db/memories' },
    })
    expect(error.message).toContain('postgres://db/memories')
  })

  it('says that a connection was cut where the driver has only words for it', () => {
    const error = translateError(new Error('Connection terminated unexpectedly'), 'db')
    expect(error).toMatchObject({ code: 'store-busy', isRetryable: true })
  })

  it('lets errors of Keepsake pass', () => {
    for (const error of [new NotFoundError('scope', '1'), new StoreError('store-busy', 'x')])
      expect(translateError(error, 'db')).toBe(error)
  })

  it('never quotes the row that a statement failed on', () => {
    const error = Object.assign(failure('23505', 'duplicate key value'), {
      detail: 'Key (id)=(my secret) exists',
    })
    expect(translateError(error, 'db').message).not.toContain('secret')
  })
})

describe('the name of a store', () => {
  it('is its address without what is secret in it', () => {
    expect(withoutPassword('postgres://ana:pa55@db.example:5433/memories?sslpassword=x')).toBe(
      'postgres://ana@db.example:5433/memories',
    )
    expect(withoutPassword('host=db password=pa55')).toBe('Postgres')
  })
})
