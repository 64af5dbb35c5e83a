import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { loadAnnotatedTalks, type AnnotatedTalk } from './annotated-talk.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const lufy = join(resolve(root, process.env['KEEPSAKE_DATA'] ?? '../shared/data'), 'lufy')
const isHere = existsSync(lufy)

if (!isHere)
  process.stderr.write(`loadAnnotatedTalks — skipped: no LUFY dataset at ${lufy}, set KEEPSAKE_DATA.\n`)

describe.skipIf(!isHere)(`loadAnnotatedTalks (skipped without the LUFY dataset at ${lufy})`, () => {
  it('reads every talk with three annotators’ marks and every session’s questions', async () => {
    const { talks, dataHash } = await loadAnnotatedTalks(lufy)
    expect(dataHash).toMatch(/^[0-9a-f]{64}$/)
    const marks = talks.flatMap((talk) => countMarks(talk))
    // annotators marked a tenth of the utterances each; in this data always three a session
    expect(new Set(marks)).toEqual(new Set([3]))
    expect(talks.every((talk) => talk.questions.length === 12)).toBe(true)
    // the end of the shared first session counts once a person
    const people = [...Map.groupBy(talks, (talk) => talk.person).values()]
    expect(people.map((own) => own.filter((talk) => talk.countsFrom === 1).length)).toEqual(
      people.map(() => 1),
    )
  }, 60_000)
})

/** Units marked, by session and annotator. */
function countMarks(talk: AnnotatedTalk): number[] {
  return [1, 2, 3, 4].flatMap((session) =>
    [0, 1, 2].map((a) => talk.units.filter((unit) => unit.session === session && unit.marked[a]).length),
  )
}

describe('loadAnnotatedTalks', () => {
  it('names the folder that is not the dataset', async () => {
    await expect(loadAnnotatedTalks('/nowhere/lufy')).rejects.toThrow('/nowhere/lufy')
  })
})
