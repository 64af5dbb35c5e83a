import { fileURLToPath } from 'node:url'
import { KeepsakeError, type LanguageModel } from 'keepsake'
import { promptRunner } from 'keepsake/model'
import type { Prompt, PromptLanguage } from 'keepsake/preset'
import { z } from 'zod'
import { replayOrRecord } from '@keepsake/bench/parts'
import { GenerateError } from '../generate-error.ts'
import { GENERATE_PROMPTS } from './all-prompts.ts'
import { readRecords } from '../material/read-material.ts'

const FILE = fileURLToPath(new URL('../../data/answers/requests.jsonl', import.meta.url))

const sampleSchema = z.strictObject({
  name: z.string(),
  prompt: z.string(),
  language: z.enum(['en', 'zh']),
  input: z.unknown(),
})

/** A prompt of a generator with an input, to test a model's answer. */
interface SampleRequest {
  readonly name: string
  readonly prompt: Prompt<unknown, unknown>
  readonly language: PromptLanguage
  readonly input: unknown
}

interface SampledAnswer {
  readonly name: string
  /** The problem of the first answer, even if it was corrected; `null`: there is none. */
  readonly problem: string | null
}

/** Reads the shipped requests: every prompt of the generators in both languages. @throws GenerateError for an unknown prompt. */
export function loadSampleRequests(): SampleRequest[] {
  return readRecords(FILE, sampleSchema).map(({ name, prompt: id, language, input }) => {
    const prompt = GENERATE_PROMPTS.find((one) => one.id === id)
    if (prompt === undefined)
      throw new GenerateError(`${FILE}: ${name} asks for "${id}", which is no prompt.`)
    return { name, prompt, language, input }
  })
}

/** Sends requests to a model, one after the other. Returns failures instead of throwing them. */
export async function askSamples(
  model: LanguageModel,
  samples: readonly SampleRequest[],
): Promise<SampledAnswer[]> {
  const answers: SampledAnswer[] = []
  for (const sample of samples) answers.push({ name: sample.name, problem: await askSample(model, sample) })
  return answers
}

async function askSample(
  model: LanguageModel,
  { prompt, language, input }: SampleRequest,
): Promise<string | null> {
  let outcome = 'unasked'
  const runner = promptRunner({ model, onCall: (call) => (outcome = call.outcome) })
  const scope = { tenant: 'bench', user: 'generate', agent: null, app: null }
  try {
    const output = await runner.for('generate', scope).ask(prompt, input, { language })
    const problems = prompt.problems?.(output, input) ?? []
    if (problems.length > 0) return problems.join(' ')
    return outcome === 'answered' ? null : `The answer was ${outcome}.`
  } catch (error) {
    if (error instanceof KeepsakeError) return error.message
    throw error
  }
}

/**
 * Sends the shipped requests to a model and records its answers, so that a test can replay them at no cost. Drops
 * recorded answers to prompts whose text has changed since.
 *
 * @param file e.g. `packages/bench-generators/data/answers/gpt-5-mini.jsonl`
 * @throws RecordingError when the file holds another model's answers
 * @example
 * await recordSamples(await openModel('openai:gpt-5-mini', { env: process.env }), 'packages/bench-generators/data/answers/gpt-5-mini.jsonl')
 */
export async function recordSamples(model: LanguageModel, file: string): Promise<SampledAnswer[]> {
  const samples = loadSampleRequests()
  const recorded = replayOrRecord(model, file, { requests: samples.length })
  const answers = await askSamples(recorded, samples)
  recorded.dropUnused()
  return answers
}
