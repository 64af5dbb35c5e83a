import { existsSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadLocomo } from './locomo.ts'
import { loadLufy } from './lufy.ts'
import { loadMemoryBank, readMemoryBankLabels } from './memorybank.ts'

const data = process.env['KEEPSAKE_DATA'] ?? join(import.meta.dirname, '../../../../../shared/data')
const hasData = existsSync(join(data, 'locomo'))
const reason = hasData ? '' : ` — skipped: no data at ${data}, set KEEPSAKE_DATA`

async function writeJson(content: unknown): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'keepsake-')), 'locomo.json')
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const sample = {
  sample_id: 'conv-x',
  conversation: {
    speaker_a: 'Nadia',
    speaker_b: 'Tom',
    session_1_date_time: '12:05 am on 3 March, 2024',
    session_1: [
      { speaker: 'Nadia', dia_id: 'D1:1', text: 'Look!', blip_caption: 'a photo of a kite' },
      { speaker: 'Tom', dia_id: 'D1:2', text: 'Nice.' },
    ],
  },
  qa: [
    { question: 'What did Nadia show?', answer: 2, category: 4, evidence: ['D1:1; D1:2', 'D9:9'] },
    { question: 'Who?', category: 1, evidence: [] },
    { question: 'A dog?', answer: 'No', adversarial_answer: 'Yes', category: 5, evidence: ['D1:1'] },
  ],
}

describe('loadLocomo', () => {
  it('reads turns with captions, times and opaque ids, and joined evidence ids', async () => {
    const { conversations, leftOut } = await loadLocomo(await writeJson([sample]))
    const [conversation] = conversations
    const [first] = conversation?.sessions[0]?.turns ?? []
    expect(first).toMatchObject({
      id: 't00000',
      role: 'user',
      speaker: 'Nadia',
      text: 'Look!\na photo of a kite',
    })
    expect(first?.at).toBe(Date.UTC(2024, 2, 3, 0, 5))
    expect(conversation?.questions.map((q) => q.evidence)).toEqual([['t00000', 't00001'], []])
    expect(conversation?.questions.map((q) => q.answerable)).toEqual([true, false])
    expect(leftOut).toEqual({ noEvidence: 1 })
  })

  it('takes observations and event summaries for labels of their session, with the turns that tell them', async () => {
    const labelled = {
      ...sample,
      observation: {
        session_1_observation: {
          Nadia: [['Nadia flies a kite.', 'D1:1']],
          Tom: [['Tom likes kites.', ['D1:2', 'D9:9']]],
        },
      },
      event_summary: { events_session_1: { Nadia: ['Nadia buys a kite.'], Tom: [], date: '3 March, 2024' } },
    }
    const [conversation] = (await loadLocomo(await writeJson([labelled]))).conversations
    const label = { source: 'annotated', type: null, isUpdate: false, importance: 1 }
    expect(conversation?.sessions[0]?.gold).toMatchObject([
      { ...label, id: 'g0000', kind: 'observation', text: 'Nadia flies a kite.', turns: ['t00000'] },
      { ...label, id: 'g0001', kind: 'observation', text: 'Tom likes kites.', turns: ['t00001'] },
      { ...label, id: 'g0002', kind: 'event-summary', text: 'Nadia buys a kite.', turns: [] },
    ])
    const [without] = (await loadLocomo(await writeJson([sample]))).conversations
    expect(without?.sessions[0]?.gold).toBeUndefined()
  })

  it('takes a number for an answer, and none where nothing answers', async () => {
    const [conversation] = (await loadLocomo(await writeJson([sample]))).conversations
    expect(conversation?.questions.map((q) => q.answer)).toEqual(['2', undefined])
    const listed = { ...sample, qa: [{ question: 'Who?', category: 4, evidence: ['D1:1'], answer: ['Tom'] }] }
    await expect(loadLocomo(await writeJson([listed]))).rejects.toThrow(
      'conversation 0: qa[0].answer should be a string or a number',
    )
  })

  it('names the file and what is wrong with it', async () => {
    await expect(loadLocomo('/nowhere/locomo.json')).rejects.toThrow(
      '/nowhere/locomo.json: there is no such file',
    )
    await expect(loadLocomo(await writeJson('{'))).rejects.toThrow(/is not JSON/)
    await expect(loadLocomo(await writeJson([{}]))).rejects.toThrow(/conversation 0: conversation is missing/)
    const badTime = { ...sample, conversation: { ...sample.conversation, session_1_date_time: 'noon' } }
    await expect(loadLocomo(await writeJson([badTime]))).rejects.toThrow(/should read like/)
  })
})

if (!hasData) process.stderr.write(`The published files${reason}.\n`)

describe.skipIf(!hasData)(`the published files${reason}`, () => {
  it('LoCoMo: two questions without evidence are left out and counted', async () => {
    const { conversations, leftOut, dataHash } = await loadLocomo(join(data, 'locomo/locomo3.json'))
    expect(conversations.map((c) => c.sessions.length)).toEqual([19, 19, 32])
    expect(leftOut).toEqual({ noEvidence: 2 })
    expect(dataHash).toMatch(/^[0-9a-f]{64}$/)
  })

  it('LUFY: Session1’s questions count once a person', async () => {
    const { conversations } = await loadLufy(join(data, 'lufy'))
    expect(conversations).toHaveLength(18)
    const first = conversations.filter((c) => c.questions.some((q) => q.category === 'session 1'))
    expect(new Set(first.map((c) => c.name.split('/')[0]))).toEqual(new Set(['LUFY']))
    for (const { sessions } of conversations) expect(sessions).toHaveLength(4)
  })

  it('MemoryBank: both languages have the same questions, labelled', async () => {
    const labels = await readMemoryBankLabels()
    const en = await loadMemoryBank(join(data, 'memorybank'), 'en', labels)
    const cn = await loadMemoryBank(join(data, 'memorybank'), 'cn', labels)
    expect(en.conversations.map((c) => c.questions.length)).toEqual(
      cn.conversations.map((c) => c.questions.length),
    )
    expect(en.leftOut).toEqual({ unlabelled: 0 })
  })
})
