import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promptVersion } from 'keepsake/preset'
import { describe, expect, it } from 'vitest'
import { JUDGE_PROMPTS } from '../judges/model-judge.ts'
import { READER_PROMPTS } from '../readers/model-reader.ts'
import { readRecording } from '../recordings/recording.ts'
import { replayingModel } from '../recordings/replaying-model.ts'
import { probeModel } from './testing/record-probe.ts'

const FOLDER = fileURLToPath(new URL('../../data/judge-answers', import.meta.url))
const files = existsSync(FOLDER)
  ? readdirSync(FOLDER)
      .filter((file) => file.endsWith('.jsonl'))
      .toSorted()
  : []
const reason = files.length === 0 ? ' (skipped: no verdicts of a model are recorded yet)' : ''

/** Number of items of each call, from the header; absent: the whole probe. */
function sampleOf(file: string): number | undefined {
  const sample = readRecording(join(FOLDER, file))?.header.about['sample']
  return typeof sample === 'number' ? sample : undefined
}

describe.skipIf(files.length === 0)(`recorded verdicts of a model${reason}`, () => {
  it.each(files)('%s answers what is asked today, whole and usable at once', async (file) => {
    const model = replayingModel(join(FOLDER, file))
    const { judge } = await probeModel(model, sampleOf(file))
    expect(model.missing).toEqual([])
    expect(model.unused).toEqual([])
    for (const { items } of [judge.en, judge.zh])
      expect(items.filter(({ verdict }) => verdict === null)).toEqual([])
  })

  it.each(files)('%s covers every prompt at its current version, and no other', (file) => {
    const answered = new Set(readRecording(join(FOLDER, file))?.answers.map(({ prompt }) => prompt))
    expect([...answered].toSorted()).toEqual(
      [...JUDGE_PROMPTS, ...READER_PROMPTS].map(promptVersion).toSorted(),
    )
  })
})
