import { basename, dirname } from 'node:path'
import { PRESET_NAMES, type PresetName } from '@keepsake/papers'
import type { Talk } from '../../datasets/own-talk.ts'
import { readRecording, type Recording, RecordingError } from '../../recordings/recording.ts'
import { replayingModel, type ReplayingModel } from '../../recordings/replaying-model.ts'
import { CONTEXT_TOKENS, recordingCommand } from '../cost.ts'
import { measurePreset, type PresetCost } from '../measure-preset.ts'

/** The recorded run, from the recording's header. */
export interface RecordedRun {
  readonly talk: string
  readonly preset: PresetName
  readonly rounds: number
  readonly replies: number
  readonly questions: number | null
}

/** Reads the header. @throws RecordingError when it does not describe the run */
export function recordedRun(file: string, { header }: Recording): RecordedRun {
  const { talk, preset: named, rounds, replies, questions } = header.about
  const preset = PRESET_NAMES.find((name) => name === named)
  if (
    typeof talk !== 'string' ||
    preset === undefined ||
    typeof rounds !== 'number' ||
    typeof replies !== 'number'
  )
    throw new RecordingError(file, 'its header does not say which talk, preset, rounds and replies were run')
  return { talk, preset, rounds, replies, questions: typeof questions === 'number' ? questions : null }
}

/**
 * Lists the problems of a recording: answers to an old version of a prompt, requests without an answer, answers that
 * were repaired or unusable, and answers that no request uses.
 *
 * @param prompts the current versions: `segment/1`
 */
export async function checkRecording(
  file: string,
  loadTalk: (name: string) => Promise<Talk>,
  prompts: ReadonlySet<string>,
): Promise<string[]> {
  const recording = readRecording(file)
  if (recording === null) return [`There is no ${file}.`]
  const run = recordedRun(file, recording)
  const command = recordingCommand(run.talk, run.preset, dirname(file))
  const model = replayingModel(file, { command })
  const problems = [...staleVersions(recording, prompts), ...misplaced(file, run)]
  try {
    const cost = await measurePreset({
      talk: await loadTalk(run.talk),
      preset: run.preset,
      model,
      rounds: run.rounds,
      replies: run.replies,
      tokens: CONTEXT_TOKENS,
      isReplayed: true,
      ...(run.questions === null ? {} : { questions: run.questions }),
    })
    problems.push(...mishaps(cost), ...leftOver(model))
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error))
  }
  const { missing } = model
  if (missing.length > 0) problems.push(`It has no answer to requests of ${missing.join(', ')}.`)
  return problems.length === 0 ? [] : [...problems, `Record it again: ${command}`]
}

function staleVersions({ answers }: Recording, prompts: ReadonlySet<string>): string[] {
  const stale = new Set(answers.map(({ prompt }) => prompt).filter((prompt) => !prompts.has(prompt)))
  return [...stale].map((prompt) => `It answers ${prompt}, which is no current version of a prompt.`)
}

function misplaced(file: string, { talk, preset }: RecordedRun): string[] {
  const expected = `${talk}/${preset}.jsonl`
  const found = `${basename(dirname(file))}/${basename(file)}`
  return found === expected ? [] : [`It is of ${expected}, and stands in ${found}.`]
}

function mishaps({ ingestion, recalling, replying, failures, unfinishedJobs }: PresetCost): string[] {
  const ofPrompts = [ingestion, recalling, replying].flatMap(({ byPrompt }) =>
    Object.entries(byPrompt).flatMap(([prompt, { repaired, unusable, failed }]) => [
      ...(repaired > 0 ? [`${repaired} answers to ${prompt} had to be mended.`] : []),
      ...(unusable > 0 ? [`${unusable} answers to ${prompt} could not be used.`] : []),
      ...(failed > 0 ? [`${failed} requests of ${prompt} failed.`] : []),
    ]),
  )
  return [
    ...ofPrompts,
    ...(failures > 0 ? [`Work in the background failed ${failures} times.`] : []),
    ...(unfinishedJobs > 0 ? [`${unfinishedJobs} jobs are left undone.`] : []),
  ]
}

function leftOver({ unused }: ReplayingModel): string[] {
  if (unused.length === 0) return []
  const prompts = [...new Set(unused.map(({ prompt }) => prompt))]
  return [`${unused.length} of its answers are to requests that nobody makes, of ${prompts.join(', ')}.`]
}
