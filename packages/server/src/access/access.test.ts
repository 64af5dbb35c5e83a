import { describe, expect, it } from 'vitest'
import { requireGrant } from './access.ts'
import { allows, UNLOCKED, type Grant } from './grant.ts'

const grant = (given: Partial<Grant>): Grant => ({ ...UNLOCKED, id: 'k1', name: 'test', ...given })

describe('allows', () => {
  it('opens every scope with no tenants and users named', () => {
    expect(allows(grant({}), 'erase', { user: 'ana' })).toBe(true)
    expect(allows(grant({}), 'admin')).toBe(true)
  })

  it('opens the named tenants alone; a scope without one is in "default"', () => {
    const acme = grant({ tenants: ['acme'] })
    expect(allows(acme, 'read', { tenant: 'acme', user: 'ana' })).toBe(true)
    expect(allows(acme, 'read', { tenant: 'other', user: 'ana' })).toBe(false)
    expect(allows(acme, 'read', { user: 'ana' })).toBe(false)
    expect(allows(grant({ tenants: ['default'] }), 'read', { user: 'ana' })).toBe(true)
  })

  it('opens the named users alone, and never all scopes then', () => {
    const ana = grant({ users: ['ana'] })
    expect(allows(ana, 'write', { user: 'ana' })).toBe(true)
    expect(allows(ana, 'write', { user: 'Ana' })).toBe(false)
    expect(allows(ana, 'admin')).toBe(false)
    expect(allows(grant({ tenants: ['acme'] }), 'admin')).toBe(false)
  })

  it('does only what the key may do', () => {
    const reader = grant({ actions: ['read'] })
    expect(allows(reader, 'read', { user: 'ana' })).toBe(true)
    for (const action of ['write', 'erase', 'admin'] as const)
      expect(allows(reader, action, { user: 'ana' })).toBe(false)
  })

  it('opens no user of no tenants', () => {
    expect(allows(grant({ tenants: [] }), 'read', { user: 'ana' })).toBe(false)
  })
})

describe('requireGrant', () => {
  it('refuses with 403, saying nothing of the scope', () => {
    const refuse = (user: string) => () => requireGrant(grant({ users: ['ana'] }), 'read', { user })
    expect(refuse('ana')).not.toThrow()
    expect(refuse('ben-secret')).toThrow(expect.objectContaining({ status: 403, code: 'forbidden' }))
    expect(refuse('ben-secret')).not.toThrow(/ben-secret/)
  })
})
