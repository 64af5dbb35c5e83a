import { cpSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixtureFile, readFixture, withField, writeScratch } from './testing/edit-fixture.ts'
import { openZh4o } from './zh-4o.ts'

const talk = readFixture('zh-4o/ZH-4O_label_1.jsonl')

async function readTalk(path: string, field: unknown) {
  const file = writeScratch('talks.jsonl', JSON.stringify(withField(talk, path, field)))
  return Array.fromAsync((await openZh4o(file)).conversations())
}

describe('openZh4o', () => {
  it('reads the folder of label files in the order of their numbers', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'keepsake-')), 'label')
    cpSync(fixtureFile('zh-4o'), folder, { recursive: true })
    cpSync(join(folder, 'ZH-4O_label_2.jsonl'), join(folder, 'ZH-4O_label_10.jsonl'))
    const data = await openZh4o(dirname(folder))
    expect([data.name, data.language, data.size]).toEqual(['zh-4o', 'zh', 3])
    const talks = await Array.fromAsync(data.conversations())
    expect(talks.map(({ name, sessions }) => [name, sessions[0]?.turns.length])).toEqual([
      ['talk 1', 5],
      ['talk 2', 2],
      ['talk 3', 2],
    ])
  })

  it('makes labels gold memories at their positions, and the user’s rounds units', async () => {
    const [conversation] = await readTalk('', talk)
    const [session] = conversation?.sessions ?? []
    expect(session?.gold?.map(({ text, source, turns }) => [text, source, turns])).toEqual([
      ['陆行送给阿槿一盏铜灯', 'annotated', ['t00002']],
      ['陆行怕黑', 'annotated', ['t00004']],
    ])
    expect(session?.turns.map(({ role }) => role)).toEqual([
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
    ])
    expect([...(conversation?.unitOf ?? [])]).toEqual([
      ['t00001', 't00001'],
      ['t00002', 't00002'],
      ['t00003', 't00002'],
      ['t00004', 't00004'],
      ['t00005', 't00004'],
    ])
  })

  it('reads multiple-choice probes from the field of our own', async () => {
    const [conversation] = await readTalk('', talk)
    expect(conversation?.questions).toMatchObject([
      {
        id: 'q0001',
        category: 'probe',
        evidence: ['t00004'],
        answer: '怕黑',
        choices: ['怕高', '怕黑', '怕水', '怕狗'],
        correctChoice: 1,
      },
    ])
  })

  it.each([
    ['messages.1.text', 3, 'line 1: messages[1].text should be a string, and is a number'],
    ['messages', [], 'line 1: messages should have a turn'],
    ['role_meta.user_name', undefined, 'line 1: role_meta.user_name is missing'],
    ['memory_human_label', { 1: 'x' }, 'line 1: memory_human_label.1 should be an array, and is a string'],
    ['probes.0.choices', ['a'], 'line 1: probes[0].choices should have 4 options'],
    ['probes.0.correct', 4, 'line 1: probes[0].correct should be the place of an option, 0 to 3'],
  ])('names the line and the field: %j', async (path, field, message) => {
    await expect(readTalk(path, field)).rejects.toThrow(message)
  })

  it('names the file in a folder, and a folder that has none', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keepsake-'))
    await expect(openZh4o(folder)).rejects.toThrow('should hold the talks: ZH-4O_label_1.jsonl')
    writeFileSync(join(folder, 'ZH-4O_label_1.jsonl'), '{}')
    await expect(Array.fromAsync((await openZh4o(folder)).conversations())).rejects.toThrow(
      `${folder}: ZH-4O_label_1.jsonl: messages is missing`,
    )
  })
})
