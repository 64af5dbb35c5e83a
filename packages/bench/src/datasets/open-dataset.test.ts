import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixtureFile, writeScratch } from './testing/edit-fixture.ts'
import { DatasetError } from './dataset-error.ts'
import { DATASET_NAMES, openDataset, type DatasetName } from './open-dataset.ts'

const data = process.env['KEEPSAKE_DATA'] ?? join(import.meta.dirname, '../../../../../shared/data')
const hasData = existsSync(join(data, 'locomo'))
const reason = hasData ? '' : ` — skipped: no data at ${data}, set KEEPSAKE_DATA`

const SHIPPED: readonly (readonly [DatasetName, string])[] = [
  ['halumem', fixtureFile('halumem.jsonl')],
  ['longmemeval', fixtureFile('longmemeval.json')],
  ['mem-dialogue', fixtureFile('mem-dialogue.jsonl')],
  ['zh-4o', fixtureFile('zh-4o')],
  ['own-talk', 'haoran-zh'],
]

describe('openDataset', () => {
  it.each(SHIPPED)(
    '%s is read anew each time, to the same, with as many conversations as it says',
    async (name, path) => {
      const opened = await openDataset(name, path)
      const [first, second] = [
        await Array.fromAsync(opened.conversations()),
        await Array.fromAsync(opened.conversations()),
      ]
      expect(first).toHaveLength(opened.size)
      expect(second).toEqual(first)
      expect(opened.name).toBe(name)
      expect(opened.dataHash).toMatch(/^[0-9a-f]{64}$/)
      expect((await openDataset(name, path)).dataHash).toBe(opened.dataHash)
    },
  )

  it.each(SHIPPED)('%s: every id names something, and ids are unique', async (name, path) => {
    for await (const conversation of (await openDataset(name, path)).conversations()) {
      const { sessions, questions, unitOf, sessionOf } = conversation
      const turns = sessions.flatMap((session) => session.turns.map(({ id }) => id))
      const sessionIds = new Set(sessions.map(({ id }) => id))
      expect(new Set(turns).size).toBe(turns.length)
      expect([...unitOf.keys()].toSorted()).toEqual(turns.toSorted())
      for (const unit of unitOf.values()) expect(sessionIds).toContain(sessionOf.get(unit))
      const gold = sessions.flatMap((session) => session.gold ?? [])
      expect(new Set(gold.map(({ id }) => id)).size).toBe(gold.length)
      expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length)
      for (const { evidence, after } of questions) {
        for (const unit of evidence) expect(sessionOf.has(unit)).toBe(true)
        if (after !== undefined) expect(sessionIds).toContain(after)
      }
    }
  })

  it.each(DATASET_NAMES)('%s: a path that leads nowhere is an error that names it', async (name) => {
    const opening = openDataset(name, '/nowhere/at-all.jsonl')
    await expect(opening).rejects.toBeInstanceOf(DatasetError)
    await expect(opening).rejects.toThrow('/nowhere/at-all.jsonl')
  })

  it('tells a talk’s language by its script where no notes name it', async () => {
    const turn = { session: 's', role: 'user', at: '2026-05-01T12:00:00Z' }
    const chinese = writeScratch('a.jsonl', JSON.stringify({ ...turn, text: '我在 Köln 学钢琴。' }))
    const english = writeScratch('b.jsonl', JSON.stringify({ ...turn, text: 'The word 钢琴 means piano.' }))
    expect((await openDataset('own-talk', chinese)).language).toBe('zh')
    expect((await openDataset('own-talk', english)).language).toBe('en')
  })
})

describe.skipIf(!hasData)(`the published files, opened${reason}`, () => {
  it('LoCoMo: every answerable question has a reference answer, and no other has', async () => {
    const opened = await openDataset('locomo', join(data, 'locomo/locomo3.json'))
    const questions = (await Array.fromAsync(opened.conversations())).flatMap(
      (conversation) => conversation.questions,
    )
    expect(questions.filter(({ answer }) => answer !== undefined)).toHaveLength(383)
    for (const { answer, answerable } of questions) expect(answer !== undefined).toBe(answerable)
    // Six of the published answers are numbers.
    expect(questions.every(({ answer }) => answer === undefined || typeof answer === 'string')).toBe(true)
    expect([opened.size, opened.language, opened.leftOut()]).toEqual([3, 'en', { noEvidence: 2 }])
  })

  it('LUFY: every question has one', async () => {
    const opened = await openDataset('lufy', join(data, 'lufy'))
    const questions = (await Array.fromAsync(opened.conversations())).flatMap(
      (conversation) => conversation.questions,
    )
    expect(questions).toHaveLength(167)
    expect(questions.every(({ answer }) => answer !== undefined && answer !== '')).toBe(true)
  })

  it('MemoryBank: has none; a file in its folder names the folder', async () => {
    const opened = await openDataset('memorybank-cn', join(data, 'memorybank/memory_bank_cn.json'))
    const questions = (await Array.fromAsync(opened.conversations())).flatMap(
      (conversation) => conversation.questions,
    )
    expect([opened.name, opened.language, opened.size]).toEqual(['memorybank-cn', 'zh', 8])
    expect(questions.every(({ answer }) => answer === undefined)).toBe(true)
  })
})
