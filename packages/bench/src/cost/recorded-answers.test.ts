import { existsSync, globSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PAPER_PROMPTS } from '@keepsake/papers'
import { PROMPTS, promptVersion, TEXT_PROMPTS } from 'keepsake/preset'
import { describe, expect, it } from 'vitest'
import { loadOwnTalk } from '../datasets/own-talk.ts'
import { checkRecording, recordedRun } from './testing/check-recording.ts'
import { readRecording } from '../recordings/recording.ts'

const FOLDER = fileURLToPath(new URL('../../data/answers', import.meta.url))
const ALL = [...PROMPTS, ...PAPER_PROMPTS, ...TEXT_PROMPTS]
const LANGUAGES = ['en', 'zh'] as const

/**
 * Prompts that these talks never need, and why. Every other prompt must have at least one recorded answer in each
 * language.
 */
const NOT_RECORDED: Readonly<Record<string, string>> = {
  describe: 'no talk has pictures; its answers are in keepsake/test/pictures',
  file: 'no talk has keys of an application; its answers are in keepsake/test/filing',
  screen: 'no talk has guidelines; its answers are in keepsake/test/guidelines',
  'weigh-texts': 'no preset asks it by itself; its answers are in data/reranking',
}

const files = existsSync(FOLDER)
  ? globSync('**/*.jsonl', { cwd: FOLDER })
      .map((file) => join(FOLDER, file))
      .filter((file) => statSync(file).isFile())
      .toSorted()
  : []
/** The short tests repeat the runs of the default preset, and the long tests those of the papers. */
const isShort = process.env['KEEPSAKE_LONG_TESTS'] === undefined
const repeated = files.filter((file) => (basename(file) === 'keepsake.jsonl') === isShort)
const reason =
  files.length === 0 ? ' (skipped: no recordings yet; record them with keepsake bench cost --record)' : ''
if (reason !== '') process.stderr.write(`Recorded answers of a model${reason}.\n`)

/** Returns the prompts with answers in a language. The name of a shipped talk ends in its language: `nadia-en`. */
function promptsIn(language: string): Set<string> {
  const answered = files.flatMap((file) => {
    const recording = readRecording(file)
    if (recording === null || !recordedRun(file, recording).talk.endsWith(`-${language}`)) return []
    return recording.answers.map(({ prompt }) => prompt)
  })
  return new Set(answered)
}

describe.skipIf(files.length === 0)(`recorded answers of a model${reason}`, () => {
  const current = new Set(ALL.map(promptVersion))

  it.each(repeated.map((file) => [relative(FOLDER, file), file] as const))(
    '%s answers what is asked today, and every answer can be used as it is',
    async (_, file) => {
      expect(await checkRecording(file, loadOwnTalk, current)).toEqual([])
    },
  )

  it.each(LANGUAGES)('cover every prompt in %s', (language) => {
    const answered = promptsIn(language)
    const lacking = ALL.filter(({ id }) => !(id in NOT_RECORDED))
      .map(promptVersion)
      .filter((prompt) => !answered.has(prompt))
    expect(lacking).toEqual([])
  })

  it('make no exception for a prompt that is recorded, or that there is not', () => {
    const recorded = new Set(LANGUAGES.flatMap((language) => [...promptsIn(language)]))
    const ids = new Map(ALL.map((prompt) => [prompt.id, promptVersion(prompt)]))
    const needless = Object.keys(NOT_RECORDED).filter((id) => {
      const version = ids.get(id)
      return version === undefined || recorded.has(version)
    })
    expect(needless).toEqual([])
  })
})
