/** What the packages beside the harness are built of: chance with a seed, data in prompts, recorded answers. */
export { seededRandom } from './metrics/seeded-random.ts'
export { fenced, fencedList } from './prompts/fenced.ts'
export { readRecording } from './recordings/recording.ts'
export { replayingModel } from './recordings/replaying-model.ts'
export { replayOrRecord } from './recordings/replay-or-record.ts'
