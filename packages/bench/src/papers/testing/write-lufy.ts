import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { workbook } from './write-workbook.ts'

/** The person's utterances in four sessions, five in each. The first of each session is marked, and a question is about it. */
const SAID = [
  [
    ['I play the cello in the town orchestra', 'What instrument do I play?', 'The cello'],
    ['My sister Mia moved to Lyon', 'Which city did Mia move to?', 'Lyon'],
    ['I broke my wrist on the ice rink', 'What bone did I break?', 'My wrist'],
    ['I keep four hens behind the house', 'What animals do I keep?', 'Hens'],
  ],
  [
    ['I repair old bicycles on Sundays', 'What do I repair?', 'Bicycles'],
    ['I was promoted to head gardener', 'What is my job?', 'Head gardener'],
    ['Our dog Luke swallowed a button', 'What did the dog swallow?', 'A button'],
    ['I dread the dentist in March', 'Whom do I dread?', 'The dentist'],
  ],
] as const
const FILLER = ['It rained again today', 'Lunch was soup', 'The tram came late', 'I watched a film']
const SYSTEMS = ['LUFY', 'MemoryBank', 'Naive RAG'] as const

/** Writes a small data set in the form of LUFY-Dataset: two people, up to three systems, four sessions, three annotators. */
export function writeLufy(systems: readonly (typeof SYSTEMS)[number][] = SYSTEMS): string {
  const root = join(mkdtempSync(join(tmpdir(), 'lufy-')), 'Dataset')
  for (const system of systems)
    for (const [person, sessions] of SAID.entries())
      for (const [session, [fact, question, answer]] of sessions.entries()) {
        const folder = join(root, system, `user${person + 1}`, `Session${session + 1}`)
        mkdirSync(folder, { recursive: true })
        const turns = [fact, ...FILLER].flatMap((said, place) => [
          [0, 'bot', place === 0 ? 'Tell me something.' : 'And then?'],
          [place === 0 ? 1 : 0, 'user', said],
        ])
        const sheets = {
          Sheet1: [['important?', 'speaker', 'utterance'], ...turns],
          Sheet2: [
            ['Q1', question],
            ['A1', answer],
          ],
        }
        for (const annotator of [0, 1, 2])
          writeFileSync(join(folder, `Annotator${annotator}.xlsx`), workbook(sheets))
      }
  return root
}
