/** What the packages beside the harness are built of: a form of talk, chance with a seed, data in prompts, recorded answers. */
export { memDialogueThemeSchema } from './datasets/mem-dialogue.ts'
export { seededRandom } from './metrics/seeded-random.ts'
export { fence, type Shown } from './prompts/fence.ts'
export { readRecording } from './recordings/recording.ts'
export { replayingModel } from './recordings/replaying-model.ts'
export { replayOrRecord } from './recordings/replay-or-record.ts'
