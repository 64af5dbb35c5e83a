import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { buffersOption, tuneProcess } from './tune-process.ts'

it('asks this Node what it knows, and sets nothing that it does not', () => {
  const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })
  for (const option of buffersOption()) expect(options).toContain(option)
  expect(buffersOption()).toHaveLength(
    options.includes('--external-memory-accounted-in-global-limit') ? 1 : 0,
  )
  expect(() => tuneProcess()).not.toThrow()
})
