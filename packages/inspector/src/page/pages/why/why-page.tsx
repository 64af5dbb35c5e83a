import type { Memory, MemoryLife } from '@keepsake/client'
import type { ReactNode } from 'react'
import type { PersonProps } from '../../address/address.ts'
import { Link } from '../../address/link.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { QueryResult } from '../../parts/states.tsx'
import { useTexts } from '../../words/language.tsx'
import { MemoryActions } from '../memories/memory-actions.tsx'
import { MemoryFacts } from '../memories/memory-facts.tsx'
import { Changes } from './changes.tsx'
import { Evidence } from './evidence.tsx'
import { Policies } from './policies.tsx'
import '../memories/memories.css'
import './why.css'
import { usePersonQuery } from '../../session/person-queries.ts'
import { fill } from '../../words/texts.ts'

/** One memory's life: its evidence, its history, and its strength. */
export default function WhyPage({
  person,
  memory: id,
}: PersonProps & { readonly memory: string }): ReactNode {
  const { texts } = useTexts()
  const life = usePersonQuery(person, ['life', id], (scope, call) => scope.life(id, call))
  return (
    <Page title={texts.why.title} lead={texts.why.lead}>
      <QueryResult query={life}>{(data) => <Life person={person} life={data} />}</QueryResult>
    </Page>
  )
}

function Life({ person, life }: PersonProps & { readonly life: MemoryLife }): ReactNode {
  const { texts } = useTexts()
  const { memory, sources, retrievals, policies } = life
  return (
    <div className="why">
      <section className="statement" data-status={memory.status}>
        <p className="said">{memory.text}</p>
        <MemoryFacts person={person} memory={memory} />
        <MemoryActions person={person} memory={memory} />
      </section>
      <Evidence person={person} memory={memory} turns={life.turns} />
      {sources.length > 0 && <Sources person={person} sources={sources} />}
      <Changes person={person} memory={memory} />
      <Policies policies={policies} retrievals={retrievals} />
      <p className="small quiet">
        {fill(texts.why.made, { step: memory.origin.step, preset: memory.origin.preset })}{' '}
        {memory.origin.model !== null && fill(texts.why.model, { model: memory.origin.model })}
      </p>
    </div>
  )
}

function Sources({ person, sources }: PersonProps & { readonly sources: readonly Memory[] }): ReactNode {
  const { texts } = useTexts()
  return (
    <Section title={texts.why.sources}>
      <ul className="stack">
        {sources.map(({ id, text }) => (
          <li key={id}>
            <Link className="memory-text said" to={{ page: 'why', person, memory: id }}>
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}
