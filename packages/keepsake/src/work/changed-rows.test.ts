import { expect, it } from 'vitest'
import { ChangedRows } from './changed-rows.ts'

it('counts a row once, however often it changed, and anew after it was cleared', () => {
  const changed = new ChangedRows()
  for (const row of [3, 3, 64, 1_000, 64]) changed.note(row)
  expect(changed.count).toBe(3)
  changed.clear()
  expect(changed.count).toBe(0)
  changed.note(1_000)
  expect(changed.count).toBe(1)
})
