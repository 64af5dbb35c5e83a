import type { MouseEvent, ReactNode } from 'react'
import { goTo } from './use-address.ts'
import { writeAddress, type Address, type Settings } from './address.ts'

interface LinkProps {
  readonly to: Address
  readonly settings?: Settings
  readonly className?: string
  readonly isCurrent?: boolean
  /** The screen reader's label, where the text alone is unclear. */
  readonly label?: string
  readonly children: ReactNode
}

/** A link to another page of the inspector; with a modifier key the browser handles it. */
export function Link({
  to,
  settings = {},
  className,
  isCurrent = false,
  label,
  children,
}: LinkProps): ReactNode {
  const follow = (event: MouseEvent): void => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    goTo(to, settings)
    window.scrollTo(0, 0)
  }
  return (
    <a
      href={writeAddress(to, settings)}
      onClick={follow}
      className={className}
      aria-current={isCurrent ? 'page' : undefined}
      aria-label={label}
    >
      {children}
    </a>
  )
}
