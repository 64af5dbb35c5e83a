import { expect, it } from 'vitest'
import { InvalidInputError } from '@keepsake/text'
import { scriptedAsk } from '../models/scripted-ask-fixture.ts'
import { chooseMemos } from '../read/rerank.ts'

const memos = [
  { text: 'Puppy Milo: the user adopted Milo.', validFrom: Date.UTC(2026, 2, 5) },
  { text: 'New job: the user starts at the museum.', validFrom: Date.UTC(2026, 2, 6) },
  { text: 'Holiday: they went to Oslo.', validFrom: Date.UTC(2026, 2, 7) },
]
const now = Date.UTC(2026, 2, 8, 9)

it('hands back the memos a model picks, best first, each once, none that there is not', async () => {
  const ask = scriptedAsk({ memos: [3, 1, 3, 4, 0] })
  expect(await chooseMemos('Where were we with the dog?', memos, { ask, now })).toEqual([memos[2], memos[0]])
  expect(ask.asked[0]?.user).toContain('(2) 2026-03-06 Fri: "New job: the user starts at the museum."')
  expect(ask.asked[0]?.user).toContain('<question>\n"Where were we with the dog?"\n</question>')
  expect(ask.asked[0]?.user).toContain('2026-03-08 Sun 09:00')
  expect(ask.asked[0]?.problems).toEqual(['There is no memo 4, 0: they are numbered from 1 to 3.'])
})

it('may pick none, and asks nothing where there is nothing to pick from', async () => {
  const ask = scriptedAsk({ memos: [] })
  expect(await chooseMemos('What is two and two?', memos, { ask, now })).toEqual([])
  expect(await chooseMemos('What is two and two?', [], { ask, now })).toEqual([])
  expect(ask.asked).toHaveLength(1)
})

it('needs a language model', async () => {
  await expect(chooseMemos('Who?', memos, { ask: null, now })).rejects.toThrow(InvalidInputError)
})
