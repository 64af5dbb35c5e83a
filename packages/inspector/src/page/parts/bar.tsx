import type { ReactNode } from 'react'

interface BarProps {
  /** From -1 to 1, where 0 begins: a minus grows to the left. */
  readonly share: number
  /** Whether there are minuses beside it, so that all begin in the middle. */
  readonly hasMinus?: boolean
}

/** How much of something there is. Its figure stands beside it in words; the bar itself says nothing to a screen reader. */
export function Bar({ share, hasMinus = false }: BarProps): ReactNode {
  const size = Math.min(1, Math.abs(share)) * (hasMinus ? 50 : 100)
  const from = hasMinus ? (share < 0 ? 50 - size : 50) : 0
  return (
    <div className="bar" aria-hidden="true">
      <span data-tone={share < 0 ? 'minus' : undefined} style={{ left: `${from}%`, width: `${size}%` }} />
    </div>
  )
}
