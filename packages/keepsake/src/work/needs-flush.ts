import type { Engine } from './engine.ts'

/**
 * Whether what background work made is to outlive a failure of power. By rules it is made again from the turns, which do, since how
 * far the work got is stored with it and lost with it; what a model answered was paid for.
 */
export function needsFlush({ language }: Pick<Engine, 'language'>): boolean {
  return language !== null
}
