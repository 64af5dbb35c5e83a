import { describe, expect, it } from 'vitest'
import { name, part, textOf, Where } from './sql-part.ts'

describe('a statement', () => {
  it('binds what is inserted, also in pieces of it, in order', () => {
    const piece = part`scope = ${7} AND id = ${"'; DROP TABLE turns; --"}`
    const whole = part`SELECT ${name('text')} FROM turns WHERE owner = ${5} AND ${piece} LIMIT ${null}`
    expect(textOf(whole)).toBe('SELECT text FROM turns WHERE owner = $1 AND scope = $2 AND id = $3 LIMIT $4')
    expect(whole.values).toEqual([5, 7, "'; DROP TABLE turns; --", null])
  })

  it('leaves out conditions that nobody asked for', () => {
    const where = new Where()
      .equal('owner', 5)
      .equal('state', undefined)
      .among('id', undefined)
      .among('scope', [1, 2])
    expect(textOf(where.part)).toBe('owner = $1 AND scope = ANY($2)')
    expect(where.part.values).toEqual([5, [1, 2]])
    expect(textOf(new Where().part)).toBe('TRUE')
  })
})
