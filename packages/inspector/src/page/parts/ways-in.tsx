import type { ReactNode } from 'react'
import type { Person } from '../address/address.ts'
import { Link } from '../address/link.tsx'
import { useMay } from '../session/session.tsx'
import { useTexts } from '../words/language.tsx'

/** For an empty page: two ways to add memories, for a key that may write. */
export function WaysIn({ person }: { readonly person: Person }): ReactNode {
  const { texts } = useTexts()
  const mayWrite = useMay('write', person)
  if (!mayWrite) return null
  return (
    <p className="row">
      <Link to={{ page: 'conversation', person }}>{texts.states.talk}</Link>
      <Link to={{ page: 'data', person }}>{texts.states.bring}</Link>
    </p>
  )
}
