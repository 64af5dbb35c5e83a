import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ButtonHTMLAttributes, ReactNode } from 'react'

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'style'> {
  /** `main`: the main action. `alarm`: a destructive one. `plain`: one of several in a line. */
  readonly tone?: 'main' | 'alarm' | 'plain'
  readonly children: ReactNode
}

export function Button({ tone, type = 'button', children, ...rest }: ButtonProps): ReactNode {
  return (
    <button className="button" data-tone={tone} type={type} {...rest}>
      {children}
    </button>
  )
}

interface MoreButtonProps {
  /** The list, which is read page by page. */
  readonly query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'fetchNextPage' | 'isFetchingNextPage'>
  readonly children: ReactNode
}

/** Reads the next page of a list; nothing on its last page. */
export function MoreButton({ query, children }: MoreButtonProps): ReactNode {
  if (!query.hasNextPage) return null
  return (
    <div>
      <Button onClick={() => void query.fetchNextPage()} disabled={query.isFetchingNextPage}>
        {children}
      </Button>
    </div>
  )
}
