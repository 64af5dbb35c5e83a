import { onTestFinished } from 'vitest'
import { openMemory, type Keepsake, type OpenOptions } from 'keepsake'
import { PAPER_POLICIES, presetNamed, type PresetName } from '@keepsake/papers'

type TestOptions = Omit<OpenOptions, 'preset'> & { readonly preset?: OpenOptions['preset'] | PresetName }

/** Opens a memory (kept nowhere unless a path is given), with a paper's preset by its name too, and closes it when the test is over. */
export async function openForTest({ preset, ...options }: TestOptions = {}): Promise<Keepsake> {
  const named = typeof preset === 'string' ? presetNamed(preset) : preset
  const keepsake = await openMemory({ path: ':memory:', policies: PAPER_POLICIES, preset: named, ...options })
  onTestFinished(() => keepsake.close())
  return keepsake
}

/** A clock that stands still until it is moved. */
export function stoppedClock(start = '2024-03-04T10:00:00Z') {
  let time = Date.parse(start)
  return {
    now: () => time,
    forward: (milliseconds: number) => {
      time += milliseconds
    },
  }
}
