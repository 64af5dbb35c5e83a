import type { ReactNode } from 'react'

interface BarProps {
  /** The length from -1 to 1. Negative values extend from the zero line to the left. */
  readonly share: number
  /** Whether some bars are negative. Then all bars begin in the middle. */
  readonly hasMinus?: boolean
}

/** A bar for an amount. Screen readers ignore it, since the number is next to it. */
export function Bar({ share, hasMinus = false }: BarProps): ReactNode {
  const size = Math.min(1, Math.abs(share)) * (hasMinus ? 50 : 100)
  const from = hasMinus ? (share < 0 ? 50 - size : 50) : 0
  return (
    <div className="bar" aria-hidden="true">
      <span data-tone={share < 0 ? 'minus' : undefined} style={{ left: `${from}%`, width: `${size}%` }} />
    </div>
  )
}
