import type { Memory } from '@keepsake/client'
import { memo, type ReactNode } from 'react'
import { Link } from '../../address/link.tsx'
import type { Person } from '../../address/address.ts'
import { MemoryActions } from './memory-actions.tsx'
import { MemoryFacts } from './memory-facts.tsx'

interface MemoryRowProps {
  readonly person: Person
  readonly memory: Memory
}

/** A memory in a list: its text, facts and actions. */
export const MemoryRow = memo(function MemoryRow({ person, memory }: MemoryRowProps): ReactNode {
  return (
    <article className="memory" data-status={memory.status}>
      <Link className="memory-text said" to={{ page: 'why', person, memory: memory.id }}>
        {memory.text}
      </Link>
      <div className="memory-foot">
        <MemoryFacts person={person} memory={memory} />
        <MemoryActions person={person} memory={memory} />
      </div>
    </article>
  )
})
