import type { ReactNode } from 'react'

interface BarProps {
  /** From -1 to 1, where 0 begins: negative values extend to the left. */
  readonly share: number
  /** Whether other bars are negative, so that all begin in the middle. */
  readonly hasMinus?: boolean
}

/** A bar for an amount. Its number stands beside it; screen readers ignore the bar. */
export function Bar({ share, hasMinus = false }: BarProps): ReactNode {
  const size = Math.min(1, Math.abs(share)) * (hasMinus ? 50 : 100)
  const from = hasMinus ? (share < 0 ? 50 - size : 50) : 0
  return (
    <div className="bar" aria-hidden="true">
      <span data-tone={share < 0 ? 'minus' : undefined} style={{ left: `${from}%`, width: `${size}%` }} />
    </div>
  )
}
