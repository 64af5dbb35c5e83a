import { expect, it, onTestFinished, vi } from 'vitest'
import { LivelyObjects } from './lively-objects.ts'

it('gives the same object to whoever asks while it is in hand, however many were made since', () => {
  const objects = new LivelyObjects<{ row: number }>()
  const inHand = Array.from({ length: 20_000 }, (_, row) => ({ row }))
  for (const one of inHand) objects.note(one.row, one)
  expect(inHand.every((one) => objects.get(one.row) === one)).toBe(true)
})

it('looks through those in hand as often as they double, not each time: each costs the same, also before memory is collected', () => {
  const looks = vi.spyOn(WeakRef.prototype, 'deref')
  onTestFinished(() => looks.mockRestore())
  const objects = new LivelyObjects<{ row: number }>()
  const inHand = Array.from({ length: 6_000 }, (_, row) => ({ row }))
  for (const one of inHand) objects.note(one.row, one)
  expect(looks.mock.calls.length).toBeLessThanOrEqual(2 * inHand.length)
  expect(looks.mock.calls.length).toBeGreaterThan(0)
})
