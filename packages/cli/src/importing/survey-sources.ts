import { setImmediate as breathe } from 'node:timers/promises'
import { surveySource, type FileSurvey, type ImportSettings, type ImportSource } from '@keepsake/importing'
import type { Progress } from '../output/progress.ts'

/** Turns between two looks at what else waits: the progress bar, and Ctrl-C. */
const BREATH = 2_000

/** Reads the files whole before anything is stored: what is wrong in them is told, and how much there is. */
export async function surveySources(
  sources: readonly ImportSource[],
  settings: ImportSettings,
  progress: Progress,
): Promise<FileSurvey[]> {
  const surveys: FileSurvey[] = []
  for (const source of sources) {
    progress.start(`Reading ${source.name}`, null)
    const steps = surveySource(source, settings)
    let count = 0
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) {
        surveys.push(step.value)
        break
      }
      count += 1
      if (count % BREATH !== 0) continue
      progress.add(BREATH)
      await breathe()
    }
  }
  progress.stop()
  return surveys
}
