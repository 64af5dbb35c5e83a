import { APICallError, JSONParseError, LoadAPIKeyError } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { modelErrorFrom, readRetryAfter } from './ai-sdk-error.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')

function callError(options: Partial<ConstructorParameters<typeof APICallError>[0]>) {
  return new APICallError({ message: 'went wrong', url: 'http://model', requestBodyValues: {}, ...options })
}

describe('readRetryAfter', () => {
  it.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'Retry-After': '0.25' }, 250],
    [{ 'retry-after-ms': '1200.4', 'retry-after': '9' }, 1201],
    [{ 'retry-after': 'Sun, 01 Mar 2026 12:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Sun, 01 Mar 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, null],
    [{}, null],
    [undefined, null],
  ])('reads %j as %s ms', (headers, expected) => {
    expect(readRetryAfter(headers, NOW)).toBe(expected)
  })
})

describe('modelErrorFrom', () => {
  const isRetryable = (cause: unknown) => modelErrorFrom(cause, 'm', 'failed').isRetryable

  it.each([
    [429, true],
    [500, true],
    [503, true],
    [408, true],
    [400, false],
    [401, false],
  ])('takes status %i as retryable: %s', (statusCode, expected) => {
    expect(isRetryable(callError({ statusCode }))).toBe(expected)
    expect(isRetryable(Object.assign(new Error('other SDK'), { statusCode }))).toBe(expected)
  })

  it('takes failures of the network as passing, and others not', () => {
    const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' })
    expect(isRetryable(new TypeError('fetch failed', { cause: reset }))).toBe(true)
    expect(isRetryable(new DOMException('slow', 'TimeoutError'))).toBe(true)
    expect(isRetryable(new TypeError('x is not a function'))).toBe(false)
    expect(isRetryable(new LoadAPIKeyError({ message: 'no key' }))).toBe(false)
  })

  it('reads the error in an answer that says all is well', () => {
    const body = (error: unknown) => callError({ statusCode: 200, responseBody: JSON.stringify({ error }) })
    expect(modelErrorFrom(body({ message: 'overloaded', code: 503 }), 'm', 'failed')).toMatchObject({
      message: 'm failed: overloaded',
      isRetryable: true,
    })
    expect(isRetryable(body({ message: 'no such model', code: 404 }))).toBe(false)
    expect(modelErrorFrom(body('out of order'), 'm', 'failed').message).toBe('m failed: out of order')
    expect(isRetryable(callError({ statusCode: 200, responseBody: '<html>' }))).toBe(true)
  })

  it('hands on how long to wait, the cause and the status', () => {
    const cause = callError({ statusCode: 429, responseHeaders: { 'retry-after': '3' } })
    expect(modelErrorFrom(cause, 'm', 'failed', NOW)).toMatchObject({
      code: 'model-failed',
      retryAfterMs: 3000,
      cause,
      details: { model: 'm', status: 429 },
    })
  })

  it('does not repeat what was being read when it could not be read', () => {
    const cause = new JSONParseError({ text: 'my secret diary', cause: new Error('bad') })
    const error = modelErrorFrom(cause, 'm', 'failed')
    expect(error.message).not.toContain('diary')
    expect(error.isRetryable).toBe(true)
  })
})
