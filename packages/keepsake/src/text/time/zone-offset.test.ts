import { describe, expect, it } from 'vitest'
import { zoneOffset } from './zone-offset.ts'

describe('zoneOffset', () => {
  it.each([
    ['Asia/Shanghai', '2024-05-01T00:00:00Z', 480],
    ['Europe/Paris', '2024-01-01T00:00:00Z', 60],
    ['Europe/Paris', '2024-07-01T00:00:00Z', 120],
    ['America/St_Johns', '2024-01-01T00:00:00Z', -210],
    ['UTC', '2024-01-01T00:00:00Z', 0],
    [null, '2024-01-01T00:00:00Z', 0],
  ])('gives minutes ahead of UTC for %s at %s', (zone, at, minutes) => {
    expect(zoneOffset(zone, Date.parse(at))).toBe(minutes)
  })
})
