import { useState, type ReactNode } from 'react'
import type { AboutEntity } from '@keepsake/client'
import type { PersonProps } from '../../address/address.ts'
import { Link } from '../../address/link.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Moment } from '../../parts/moment.tsx'
import { usePageTexts, useTexts } from '../../words/language.tsx'
import { layOut, type Line, type Relation } from './lay-out.ts'
import RELATIONS from './words.json' with { type: 'json' }

export interface AboutProps extends PersonProps {
  /** The day for which relations are shown; today if empty. */
  readonly at: string
  readonly nameOf: (entity: string) => string
}

/** Draws an entity with its neighbours. A click on an entity shows its own graph, a click on a line the evidence. */
export function RelationGraph({
  person,
  about,
  at,
  nameOf,
}: AboutProps & { readonly about: AboutEntity }): ReactNode {
  const { texts } = useTexts()
  const labels = usePageTexts(RELATIONS)
  const [open, setOpen] = useState<Line | null>(null)
  const { nodes, lines, height } = layOut(about)
  const say = ({ from, relation, to }: Relation): string => `${nameOf(from)} – ${relation} → ${nameOf(to)}`
  return (
    <>
      <div className="relation-graph" style={{ height }}>
        <svg viewBox={`0 0 100 ${height}`} preserveAspectRatio="none" aria-hidden="true">
          {lines.map(({ path }) => (
            <path key={path} d={path} vectorEffect="non-scaling-stroke" />
          ))}
        </svg>
        <ul aria-label={labels.entities}>
          {nodes.map(({ name, left, top }) => (
            <li key={name} style={{ left: `${left}%`, top }}>
              <Link
                to={{ page: 'relations', person }}
                settings={{ entity: name, at }}
                isCurrent={name === about.entity.name}
              >
                {nameOf(name)}
              </Link>
            </li>
          ))}
        </ul>
        <ul aria-label={labels.relations}>
          {lines.map((line) => (
            <li key={line.path} style={{ left: `${line.left}%`, top: line.top }}>
              <button
                type="button"
                onClick={() => setOpen(line)}
                aria-label={line.relations.map(say).join(', ')}
              >
                {line.relations
                  .map(({ relation, to }) => (to === line.near.name ? `← ${relation}` : relation))
                  .join(', ')}
              </button>
            </li>
          ))}
        </ul>
      </div>
      {open !== null && (
        <Dialog title={labels.evidence} onClose={() => setOpen(null)}>
          {open.relations.map((relation) => (
            <section key={say(relation)}>
              <h3>{say(relation)}</h3>
              <p className="small quiet">
                {texts.memories.since} <Moment at={relation.validFrom} />
              </p>
              {relation.evidence.map(({ memory, quote }) => (
                <p key={`${memory} ${quote}`}>
                  <Link className="said" to={{ page: 'why', person, memory }}>
                    {quote}
                  </Link>
                </p>
              ))}
            </section>
          ))}
          <div>
            <Button onClick={() => setOpen(null)}>{texts.states.close}</Button>
          </div>
        </Dialog>
      )}
    </>
  )
}
