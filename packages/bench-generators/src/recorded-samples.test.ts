import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promptVersion } from 'keepsake/preset'
import { scriptedModel } from 'keepsake/model'
import { describe, expect, it } from 'vitest'
import { readRecording, replayingModel } from '@keepsake/bench/parts'
import { GENERATE_PROMPTS } from './testing/all-prompts.ts'
import { askSamples, loadSampleRequests, recordSamples } from './testing/sample-requests.ts'

const FOLDER = fileURLToPath(new URL('../data/answers', import.meta.url))
const files = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.jsonl') && file !== 'requests.jsonl')
  .toSorted()
const reason = files.length === 0 ? ' (skipped: no answers of a model are recorded yet)' : ''
if (reason !== '') process.stderr.write(`Recorded answers to the prompts of the generators${reason}.\n`)

const samples = loadSampleRequests()
const current = GENERATE_PROMPTS.map(promptVersion).toSorted()

describe('the sample requests', () => {
  it.each(['en', 'zh'] as const)('ask every prompt in %s', (language) => {
    const asked = samples
      .filter((one) => one.language === language)
      .map(({ prompt }) => promptVersion(prompt))
    expect([...new Set(asked)].toSorted()).toEqual(current)
  })

  it('have unique names, and all inputs of their prompts', () => {
    expect(new Set(samples.map(({ name }) => name)).size).toBe(samples.length)
    for (const { prompt, input, language } of samples) {
      const { system, user } = prompt.render(input, language)
      expect(system + user).not.toMatch(/undefined|\[object/)
    }
  })

  it('report an answer that was repaired or cannot be used', async () => {
    const [sample] = samples.filter(({ prompt }) => prompt.id === 'generate-tell-memory')
    const script = (answers: string[]) => scriptedModel(() => answers.shift() ?? 'no JSON')
    const good = JSON.stringify({ said: 'a', reply: 'b' })
    const problemOf = async (...answers: string[]) =>
      (await askSamples(script(answers), sample === undefined ? [] : [sample]))[0]?.problem
    expect(await problemOf(good)).toBeNull()
    expect(await problemOf('{}', good)).toBe('The answer was repaired.')
    expect(await problemOf()).toMatch(/cannot be used/)
  })

  it('are recorded once each, and replayed without the model', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'keepsake-samples-')), 'm.jsonl')
    await recordSamples(
      scriptedModel(() => '{}'),
      file,
    )
    const model = replayingModel(file)
    await askSamples(model, samples)
    expect(model.missing).toEqual([])
    expect(model.unused).toEqual([])
    expect(model.header.about).toEqual({ requests: samples.length })
  })
})

describe.skipIf(files.length === 0)(`recorded answers to the prompts of the generators${reason}`, () => {
  it.each(files)('%s answers the current requests, and every answer is valid', async (file) => {
    const model = replayingModel(join(FOLDER, file))
    const answers = await askSamples(model, samples)
    expect(answers.filter(({ problem }) => problem !== null)).toEqual([])
    expect(model.missing).toEqual([])
    expect(model.unused).toEqual([])
  })

  it.each(files)('%s covers every prompt at its current version, and no other', (file) => {
    const answered = new Set(readRecording(join(FOLDER, file))?.answers.map(({ prompt }) => prompt))
    expect([...answered].toSorted()).toEqual(current)
  })
})
