import { expect, it } from 'vitest'
import { isChinese, isJapanese } from './other-scripts.ts'

it.each([
  '仙台に住んでいます。',
  'これからは日本語で答えて',
  '私は看護師です。東京の病院で働いています。',
  '猫を飼っています、名前はたまです。',
  '来月京都に引っ越します',
  'コーヒーが好き',
])('Japanese is not taken for Chinese: %s', (text) => {
  expect([isJapanese(text), isChinese(text)]).toEqual([true, false])
})

it.each([
  '我住在仙台。',
  '我在学日语，今天老师教我们说ありがとう。',
  '我养了一只猫，名字叫タマ。',
  '我用 TypeScript 写代码',
  '我喜歡喝鮮の茶飲料',
])('Chinese with words of other scripts is Chinese: %s', (text) => {
  expect([isJapanese(text), isChinese(text)]).toEqual([false, true])
})

it.each([
  'I live in Sendai.',
  '',
  '저는 서울에 살아요',
  'My cat is called たま.',
  'In Chinese it is 猫, a cat',
])('other languages are not Chinese: %s', (text) => {
  expect(isChinese(text)).toBe(false)
})
