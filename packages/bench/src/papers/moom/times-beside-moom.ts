import { findFigure } from '../../results/plain-figures.ts'
import type { HereFigure, Reproduction } from '../registry/paper.ts'
import { PUBLISHED } from './variants.ts'
import { measuredOf, runSystems } from '../reproduce/by-run.ts'
import { counted } from '../reproduce/here-figure.ts'

const ROWS: Readonly<Record<string, string>> = {
  moom: 'MOOM',
  mem0: 'Mem0',
  memochat: 'MemoChat',
  'memory-bank': 'MemoryBank',
}

/** MOOM's section 5.3: the time to take in the talks, as a multiple of MOOM's. */
export const timesBesideMoom: Reproduction['measure'] = async (asked, context) => {
  const table = {
    dataset: 'zh-4o',
    tasks: ['labels'],
    systems: ['moom', 'mem0', 'memochat', 'memory-bank'],
    presets: { moom: PUBLISHED },
  } as const
  const summaries = await runSystems(table, asked, context)
  const timeOf = (system: string): number | null => {
    const own = summaries.find((one) => one.system === system)?.figures ?? []
    return findFigure(own, 'cost', 'adding_ms')?.value ?? null
  }
  const moom = timeOf('moom')
  const figures = summaries.map(({ system: row, conversations }): HereFigure => {
    const time = timeOf(row)
    const value = time === null || moom === null ? null : time / moom
    const place = { row, column: 'Time, MOOM = 1', beside: ROWS[row] ?? null, unit: 'score' } as const
    return counted(place, value, conversations ?? 0)
  })
  return { ...measuredOf(summaries), figures }
}
