import { Component, type ReactNode } from 'react'
import { Failure } from '../parts/states.tsx'

interface BoundaryProps {
  readonly children: ReactNode
}

/** Contains the failure of a page and reports it; the rest stays. */
export class Boundary extends Component<BoundaryProps, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    return <Failure error={error} retry={() => this.setState({ error: null })} />
  }
}
