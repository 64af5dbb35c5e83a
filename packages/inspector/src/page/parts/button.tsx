import type { ButtonHTMLAttributes, ReactNode } from 'react'

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'style'> {
  /** `main`: the one thing to do here. `alarm`: what takes something away. `plain`: among others in a line. */
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
