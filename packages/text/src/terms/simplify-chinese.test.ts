import { describe, expect, it } from 'vitest'
import { findTerms } from './analyse-text.ts'
import { simplifyChinese, writeAsSaid } from './simplify-chinese.ts'
import { readMatters } from '../question/read-matters.ts'

describe('simplifyChinese', () => {
  it.each([
    ['我對頭孢過敏', '我对头孢过敏'],
    ['外婆說她喫不慣甜粽', '外婆说她吃不惯甜粽'],
    ['妳還養著那隻貓嗎', '你还养着那只猫吗'],
    ['臺南的雨，下個不停 🌧', '台南的雨，下个不停 🌧'],
    ['已经是简体了', '已经是简体了'],
    ['no Chinese at all', 'no Chinese at all'],
  ])('reads %s', (written, read) => {
    expect(simplifyChinese(written)).toBe(read)
    expect(simplifyChinese(written)).toHaveLength(written.length)
  })

  it('gives both scripts the same terms', () => {
    expect(findTerms('我們去陽明山爬山')).toEqual(findTerms('我们去阳明山爬山'))
  })
})

describe('writeAsSaid', () => {
  it('takes the words where they stand, and single characters where they moved', () => {
    expect(writeAsSaid('后面', '我住在後面')).toBe('後面')
    expect(writeAsSaid('用户养狗', '我養了一隻狗')).toBe('用户養狗')
    expect(writeAsSaid('用户养狗', '我养了一只狗')).toBe('用户养狗')
    expect(writeAsSaid('用户考上驾照了🚗。', '今天超開心!!我考上駕照了🚗')).toBe('用户考上駕照了🚗。')
  })
})

it('reads a question in either script once it is simplified', () => {
  expect(readMatters(simplifyChinese('關於我的身體，你知道些什麼？'))).toEqual(['health'])
})
