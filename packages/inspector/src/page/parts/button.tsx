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
