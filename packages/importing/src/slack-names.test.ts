import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFile } from '../../keepsake/test/temporary-file.ts'
import { InputFile } from './input-file.ts'
import { LeftOut } from './left-out.ts'
import { openSource } from './open-source.ts'
import { findSlackNames, readSlackNames, slackFilesIn } from './slack-names.ts'

const USERS = [
  { id: 'U7', name: 'orla', real_name: 'Orla', profile: { real_name: 'Orla Quinn', display_name: '' } },
  { id: 'U8', name: 'ben', profile: { real_name: '', display_name: 'benny' } },
]
const DAY = [
  { type: 'message', user: 'U8', text: 'Hi <@U7>, and <@U9>', ts: '1767600060.0002' },
  { type: 'message', user: 'U7', text: 'I live in Cork.', ts: '1767600070.0002' },
]

/** Writes a Slack export. @returns the path of a day of its channel */
function writeExport(): string {
  const users = temporaryFile('users.json')
  writeFileSync(users, JSON.stringify(USERS))
  const channel = join(dirname(users), 'general')
  mkdirSync(channel)
  const day = join(channel, '2026-01-05.json')
  writeFileSync(day, JSON.stringify(DAY))
  return day
}

it.each(['orla quinn', 'orla', '@Orla'])(
  'names of a Slack export stand for ids, as speakers and in mentions: %s',
  async (speaker) => {
    const day = writeExport()
    const names = findSlackNames(day) ?? undefined
    const settings = { speaker, timeZone: 'UTC', now: Date.now(), by: 'command', names } as const
    const source = await openSource('slack', InputFile.open(day), settings)
    const turns = [...source.turns(new LeftOut())].map(({ turn }) => [turn.role, turn.speaker, turn.text])
    expect(turns).toEqual([
      ['assistant', 'benny', 'Hi Orla Quinn, and @U9'],
      ['user', 'Orla Quinn', 'I live in Cork.'],
    ])
  },
)

it.each([
  ['<@U7> I moved to Cork.', 'Orla Quinn, I moved to Cork.'],
  ['<@U7>: I moved to Cork.', 'Orla Quinn, I moved to Cork.'],
  ['<@U9> 我搬到科克了。', '@U9, 我搬到科克了。'],
  ['<@U7> is my sister.', 'Orla Quinn is my sister.'],
  ['<@U7>, I moved.', 'Orla Quinn, I moved.'],
])('a message that begins with a mention keeps its words with the name: %s', async (text, expected) => {
  const day = writeExport()
  writeFileSync(day, JSON.stringify([{ ...DAY[1], text }]))
  const names = findSlackNames(day) ?? undefined
  const settings = { speaker: 'Orla Quinn', timeZone: 'UTC', now: Date.now(), by: 'command', names } as const
  const source = await openSource('slack', InputFile.open(day), settings)
  expect([...source.turns(new LeftOut())].map(({ turn }) => turn.text)).toEqual([expected])
})

it('a day on which the user wrote nothing holds the words of others', async () => {
  const names = new Map([
    ['U7', 'Orla Quinn'],
    ['U5', 'Ada'],
  ])
  const settings = { speaker: 'Ada', timeZone: 'UTC', now: Date.now(), by: 'request', names } as const
  const source = await openSource('slack', InputFile.open(writeExport()), settings)
  expect([...source.turns(new LeftOut())].map(({ turn }) => turn.role)).toEqual(['assistant', 'assistant'])
})

it('the folder of a Slack export gives the files of its channels; other folders and files give nothing', () => {
  const day = writeExport()
  expect(slackFilesIn(dirname(dirname(day)))).toEqual([day])
  expect(slackFilesIn(dirname(day))).toEqual([])
  expect(readSlackNames(InputFile.open(day))).toBeNull()
  expect(findSlackNames(temporaryFile('day.json'))).toBeNull()
})
