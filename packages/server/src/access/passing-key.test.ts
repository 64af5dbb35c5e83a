import { describe, expect, it } from 'vitest'
import { makePassingKey } from './key-store.ts'

describe('a passing key', () => {
  it('opens what it was made for, and no other key does', () => {
    const one = makePassingKey(['read'])
    const other = makePassingKey()
    expect(one.keys.verify(one.key)).toMatchObject({ actions: ['read'], tenants: null, users: null })
    expect(one.keys.verify(other.key)).toBeNull()
    expect(one.keys.verify('ks_wrong')).toBeNull()
    expect(one.keys.verify('')).toBeNull()
    const [, , secret = ''] = one.key.split('_')
    expect(one.keys.verify(`ks_000000000000_${secret}`)).toBeNull()
  })
})
