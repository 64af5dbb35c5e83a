import { describe, expect, it } from 'vitest'
import { personOf } from './person-of.ts'

const of = (url: string, headers: Record<string, string> = {}) => personOf({ url, headers })

describe('personOf', () => {
  it.each([
    ['/v1/scopes/ana/turns', {}],
    ['/v1/scopes/%61na/recall?tenant=default', {}],
    ['/v1/scopes/%20/recall?agent=x&user=ana', {}],
    ['/v1/chat/completions', { 'x-keepsake-user': 'ana' }],
    ['/mcp', { 'x-keepsake-user': 'an%61', authorization: 'Bearer x' }],
    ['/compat/mem0/memories?user_id=ana', {}],
  ] as const)('is one person however they are named: %s', (url, headers) => {
    expect(of(url, headers)).toBe('default\nana')
  })

  it('tells tenants apart', () => {
    expect(of('/v1/scopes/ana?tenant=acme')).toBe('acme\nana')
    expect(of('/mcp', { 'x-keepsake-user': 'ana', 'x-keepsake-tenant': 'acme' })).toBe('acme\nana')
  })

  it('takes the key for a session of MCP that names nobody', () => {
    expect(of('/mcp', { authorization: 'Bearer ks_1' })).toBe('Bearer ks_1')
    expect(of('/v1/chat/completions', { authorization: 'Bearer ks_1' })).toBeNull()
  })

  it('says nothing of what is about nobody, and fails on nothing', () => {
    for (const url of ['/healthz', '/v1/stats', '/', '']) expect(of(url)).toBeNull()
    expect(of('/v1/scopes/%ff/turns')).toBe('default\n%ff')
  })
})
