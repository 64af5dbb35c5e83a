import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promptVersion } from 'keepsake/parts'
import { describe, expect, it } from 'vitest'
import { JUDGE_PROMPTS, READER_PROMPTS } from '../prompts/all-prompts.ts'
import { loadReadingProbe, probeReader } from '../readers/probe-reader.ts'
import { modelReader } from '../readers/model-reader.ts'
import { readRecording } from '../recordings/recording.ts'
import { replayingModel } from '../recordings/replaying-model.ts'
import { modelJudge } from './model-judge.ts'
import { loadProbe, sampleProbe } from './probe-items.ts'
import { probeJudge } from './probe-judge.ts'

const FOLDER = fileURLToPath(new URL('../../data/judge-answers', import.meta.url))
const files = existsSync(FOLDER)
  ? readdirSync(FOLDER)
      .filter((file) => file.endsWith('.jsonl'))
      .toSorted()
  : []
const reason = files.length === 0 ? ' (skipped: no verdicts of a model are recorded yet)' : ''
const LANGUAGES = ['en', 'zh'] as const

/** Of the whole probe, or of so many items of each call as the header's `sample` says. */
function sizeOf(file: string): number {
  const sample = readRecording(join(FOLDER, file))?.header.about['sample']
  return typeof sample === 'number' ? sample : Number.MAX_SAFE_INTEGER
}

describe.skipIf(files.length === 0)(`recorded verdicts of a model${reason}`, () => {
  it.each(files)('%s answers what is asked today, whole and usable at once', async (file) => {
    const model = replayingModel(join(FOLDER, file))
    const reports = []
    for (const language of LANGUAGES) {
      const items = sampleProbe(await loadProbe(language), sizeOf(file))
      reports.push(await probeJudge(modelJudge({ model, language }), items))
      await probeReader(modelReader({ model, language }), await loadReadingProbe(language))
    }
    expect(model.missing).toEqual([])
    expect(model.unused).toEqual([])
    expect(reports.flatMap(({ items }) => items.filter(({ verdict }) => verdict === null))).toEqual([])
  })

  it.each(files)('%s covers every prompt at its current version, and no other', (file) => {
    const answered = new Set(readRecording(join(FOLDER, file))?.answers.map(({ prompt }) => prompt))
    expect([...answered].toSorted()).toEqual(
      [...JUDGE_PROMPTS, ...READER_PROMPTS].map(promptVersion).toSorted(),
    )
  })
})
