import { describe, expect, it } from 'vitest'
import { findLeftovers } from './find-leftovers.ts'

/** A leaf of a table with one cell at its end, and whatever else is put there. */
function leafPage(first = 0): Buffer {
  const page = Buffer.alloc(512)
  page.writeUInt8(13, first)
  page.writeUInt16BE(1, first + 3)
  page.writeUInt16BE(500, first + 5)
  page.writeUInt16BE(500, first + 8)
  page.fill('c', 500)
  return page
}

describe('findLeftovers', () => {
  it('finds what stands between cell pointers and cells', () => {
    const page = leafPage()
    expect(findLeftovers(page, false)).toEqual([])
    page.write('left', 300)
    expect(findLeftovers(page, false)).toEqual([{ from: 10, to: 500 }])
  })

  it('finds what stands in free blocks, and leaves their heads', () => {
    const page = leafPage()
    page.writeUInt16BE(400, 5)
    page.fill('c', 400)
    page.writeUInt16BE(440, 1)
    page.writeUInt16BE(0, 440)
    page.writeUInt16BE(20, 442)
    expect(findLeftovers(page, false)).toEqual([{ from: 444, to: 460 }])
  })

  it('knows that the first page begins with the file’s header', () => {
    const page = leafPage(100)
    page.write('left', 300)
    expect(findLeftovers(page, true)).toEqual([{ from: 110, to: 500 }])
  })

  it.each([
    ['an overflow page', (page: Buffer) => page.writeUInt8(0, 0)],
    ['cells that begin before the pointers end', (page: Buffer) => page.writeUInt16BE(9, 5)],
    ['cells that begin after the page', (page: Buffer) => page.writeUInt16BE(600, 5)],
    ['a free block that goes past the page', (page: Buffer) => page.writeUInt16BE(510, 1)],
  ])('touches nothing of %s', (_, spoil) => {
    const page = leafPage()
    spoil(page)
    expect(findLeftovers(page, false)).toEqual([])
  })
})
