import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { temporaryFile } from '../../keepsake/test/temporary-file.ts'
import { InputFile } from './input-file.ts'
import { LeftOut } from './left-out.ts'
import { openSource } from './open-source.ts'
import { recogniseFormat } from './recognise-format.ts'

/** Reads a file. @returns whether each turn is marked as one of a talk between people */
async function readMarks(text: string, speaker?: string): Promise<boolean[]> {
  const path = temporaryFile('chat.txt')
  writeFileSync(path, text)
  const [input, by] = [InputFile.open(path), 'command'] as const
  const settings = { user: 'ana', speaker, timeZone: 'UTC', now: Date.now(), by }
  const format = recogniseFormat(input, settings)
  if (format === 'keepsake') throw new Error(format)
  const source = await openSource(format, input, settings)
  return [...source.turns(new LeftOut())].map(({ turn }) => turn.metadata?.['talk'] === 'people')
}

it.each([
  ['14/03/2026, 19:05 - Ana: My divorce was awful.\n14/03/2026, 19:06 - Ben: Oh no.', undefined],
  ['14/03/2026, 19:05 - Ana: Hi.\n14/03/2026, 19:06 - Ben: Hi.\n14/03/2026, 19:07 - Cy: Hi.', undefined],
  ['Ana: 我离婚了。\n小明: 啊？\nAna: 把那件事忘了吧\n小明: 好', undefined],
  ['speaker,text\nAna,I moved.\nBen,Where to?', 'Ana'],
])('turns of a chat between people are marked: %s', async (text, speaker) =>
  expect(new Set(await readMarks(text, speaker))).toEqual(new Set([true])),
)

it.each([
  'Me: My divorce was awful.\nChatGPT: I am sorry.\nMe: Forget it.\nChatGPT: Done.',
  '14/03/2026, 19:05 - Ana: Forget my divorce.\n14/03/2026, 19:06 - Meta AI: Done.',
  'user,text\nuser,My divorce was awful.\nassistant,I am sorry.',
])('turns of a chat with an assistant are not: %s', async (text) =>
  expect(new Set(await readMarks(text))).toEqual(new Set([false])),
)

it.each([
  ['HumanMessageChunk', 'I shear alpacas.'],
  ['human', 'I shear alpacas.'],
])('a message of LangChain of type %s is the user’s', async (type, content) => {
  const path = temporaryFile('chat.json')
  writeFileSync(path, JSON.stringify([{ type, content, additional_kwargs: {} }]))
  const settings = { user: 'ana', timeZone: 'UTC', now: Date.now(), by: 'command' } as const
  const source = await openSource('langchain', InputFile.open(path), settings)
  expect([...source.turns(new LeftOut())].map(({ turn: { role, text } }) => [role, text])).toEqual([
    ['user', content],
  ])
})
