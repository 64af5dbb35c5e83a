import { join } from 'node:path'
import { openMemory } from 'keepsake'
import { type LanguageRequest, scriptedModel } from 'keepsake/model'
import { type PresetName, presetNamed } from '@keepsake/papers'
import { chatRow } from '@keepsake/train'
import { expect, it } from 'vitest'
import { exportTo, rowsIn } from '../testing/train-export.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const folder = temporaryFolder()

const ADDED = ['I live in Porto.', 'I keep bees.', 'I sing.', 'I play chess.']
const DAYS = [
  ['I live in Porto.', 'I keep bees.', 'It is warm today.'],
  ['Good evening.', 'I sing.', 'I play chess.'],
  ['Hello again.', 'What do I keep?'],
]

/** Answers whatever a preset asks: something of each sentence that tells something. */
function answer({ prompt = '', messages }: LanguageRequest): string {
  const asked = messages[0]?.text ?? ''
  const turns = asked.slice(asked.lastIndexOf('<turns>')).split('\n').slice(1)
  const told = ADDED.flatMap((said) => {
    const at = turns.findIndex((line) => line.includes(said))
    return at === -1 ? [] : [{ said, turn: at + 1 }]
  })
  if (prompt.startsWith('operations')) {
    const codes = told.map(({ said: quote, turn }) => ({
      type: 'add',
      index: null,
      content: `Ana says: ${quote}`,
      why: null,
      turn,
      quote,
    }))
    return JSON.stringify({ operations: codes })
  }
  if (prompt.startsWith('persona-snapshot')) {
    const entries = told.map(({ said, turn }) => ({ key: 'hobbies', value: said, turns: [turn] }))
    return JSON.stringify({ people: [{ person: 'user', entries }] })
  }
  if (prompt.startsWith('session-memory')) {
    const user = told.map(({ said, turn }) => ({ text: `The user says: ${said}`, turns: [turn] }))
    return JSON.stringify({ outcome: user.length > 0 ? 'memory' : 'nothing', events: [], user, agent: [] })
  }
  if (prompt.includes('portrait/'))
    return JSON.stringify({
      outcome: 'portrait',
      user: 'Lives in Porto.',
      relationship: 'Friends.',
      events: 'They talked.',
    })
  if (prompt.includes('reply')) return 'Bees, as far as I remember.'
  return '{"sentences": []}'
}

/** Days of talk in which the engine itself replies, or an agent does; hands back every question that the engine put. */
async function questionsOf(db: string, preset: PresetName, replies: boolean): Promise<ReadonlySet<string>> {
  const model = scriptedModel(answer)
  const memory = await openMemory({ path: db, preset: presetNamed(preset), model })
  const ana = memory.scope({ user: 'ana' })
  for (const [day, said] of DAYS.entries()) {
    const session = `day-${day}`
    for (const [round, text] of said.entries()) {
      const turn = { role: 'user' as const, text, at: new Date(Date.UTC(2026, 2, 3 + day, 19, round)) }
      if (replies) await (await ana.reply(turn, { session })).remembered
      else await ana.remember([turn, { role: 'assistant', text: 'I see.', at: turn.at }], { session })
      await ana.drain()
    }
    await ana.endSession(session)
    await ana.drain()
  }
  await memory.close()
  return new Set(model.requests.map(({ system, messages }) => `${system}\n${messages[0]?.text}`))
}

it.each([
  ['operations', 'mmm', false, 6],
  ['persona-snapshot', 'moom', false, 2],
  ['session-memory', 'comedy', true, 2],
  ['compression', 'comedy', true, 2],
  ['reply', 'comedy', true, 5],
] as const)(
  '%s: what is exported is word for word what the preset %s asked',
  async (task, preset, replies, least) => {
    const db = join(folder, `${task}.db`)
    const put = await questionsOf(db, preset, replies)
    const out = join(folder, task)
    await exportTo(out, '--task', task, '--db', db, '--preset', preset, '--identified', '--shares', '1:0:0')
    const asked = rowsIn(out, 'sft', chatRow).map(
      ({ messages }) => `${messages[0].content}\n${messages[1].content}`,
    )
    expect(asked.filter((question) => !put.has(question))).toEqual([])
    expect(asked.length).toBeGreaterThanOrEqual(least)
  },
)
