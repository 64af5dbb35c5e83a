import { type ReactNode, useState } from 'react'
import type { Entity, AboutEntity } from '@keepsake/client'
import type { PersonProps } from '../../address/address.ts'
import { Link } from '../../address/link.tsx'
import { useSettings } from '../../address/use-address.ts'
import { Moment } from '../../parts/moment.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { QueryResult, Empty } from '../../parts/states.tsx'
import { failureKind } from '../../session/failure.ts'
import { usePersonQuery } from '../../session/person-queries.ts'
import { usePageTexts, useTexts } from '../../words/language.tsx'
import { useSubjectNames } from '../memories/names.tsx'
import RELATIONS from './words.json' with { type: 'json' }
import { fill } from '../../words/texts.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import './relations.css'

/** Persons and pets that statements relate: a list, and one of them with its neighbours as a graph. */
export default function RelationsPage({ person }: PersonProps): ReactNode {
  const { texts } = useTexts()
  const labels = usePageTexts(RELATIONS)
  const entities = usePersonQuery(person, ['entities'], (scope, call) => scope.entities(call))
  return (
    <Page title={texts.shell.pages.relations} lead={labels.lead}>
      <QueryResult query={entities}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={labels.empty} hint={labels.emptyHint} person={person} />
          ) : (
            <Entities person={person} entities={all} />
          )
        }
      </QueryResult>
    </Page>
  )
}

function Entities({ person, entities }: PersonProps & { readonly entities: readonly Entity[] }): ReactNode {
  const labels = usePageTexts(RELATIONS)
  const nameOf = useSubjectNames(person)
  const [settings, setSettings] = useSettings()
  const [at = ''] = settings['at'] ?? []
  const own = entities.some(({ relations }) => relations.length > 0) ? ['user'] : []
  const names = [...own, ...entities.map(({ name }) => name)]
  const [entity = names[0] ?? ''] = settings['entity'] ?? []
  return (
    <>
      <ul className="row entities" aria-label={labels.entities}>
        {names.map((name) => {
          const { aliases = [], statements } = entities.find((one) => one.name === name) ?? {}
          const counted = statements === undefined ? [] : [fill(labels.statements, { count: statements })]
          return (
            <li key={name}>
              <Link
                to={{ page: 'relations', person }}
                settings={{ entity: name, at }}
                isCurrent={name === entity}
              >
                {nameOf(name)}
              </Link>{' '}
              <span className="small quiet figures">{[...aliases, ...counted].join(', ')}</span>
            </li>
          )
        })}
      </ul>
      <label className="row">
        {labels.at}
        <input
          className="input"
          type="date"
          style={{ width: 'auto' }}
          value={at}
          onChange={({ target }) => setSettings({ entity, at: target.value })}
        />
      </label>
      <About person={person} entity={entity} at={at} nameOf={nameOf} />
    </>
  )
}

function About({ person, entity, at, nameOf }: AboutProps & { readonly entity: string }): ReactNode {
  const labels = usePageTexts(RELATIONS)
  const about = usePersonQuery(person, ['about', entity, at], async (scope, call) => {
    const day = at === '' ? {} : { at: new Date(`${at}T23:59:59`).toISOString() }
    return scope.about(entity, { depth: 2, ...day }, call).catch((error: unknown) => {
      if (failureKind(error) === 'missing') return null
      throw error
    })
  })
  return (
    <QueryResult query={about}>
      {(found) =>
        found === null ? (
          <Empty title={fill(labels.unknown, { name: nameOf(entity) })} />
        ) : (
          <>
            <RelationGraph person={person} about={found} at={at} nameOf={nameOf} />
            {found.statements.length > 0 && (
              <Section title={fill(labels.said, { name: nameOf(found.entity.name) })}>
                <ul className="stack">
                  {found.statements.map(({ id, text, validFrom }) => (
                    <li key={id}>
                      <Link className="said" to={{ page: 'why', person, memory: id }}>
                        {text}
                      </Link>{' '}
                      <span className="small quiet">
                        <Moment at={validFrom} />
                      </span>
                    </li>
                  ))}
                </ul>
              </Section>
            )}
          </>
        )
      }
    </QueryResult>
  )
}

interface AboutProps extends PersonProps {
  /** The day for which relations are shown; today if empty. */
  readonly at: string
  readonly nameOf: (entity: string) => string
}

/** Draws an entity with its neighbours. A click on an entity shows its own graph, a click on a line the evidence. */
function RelationGraph({
  person,
  about,
  at,
  nameOf,
}: AboutProps & { readonly about: AboutEntity }): ReactNode {
  const { texts } = useTexts()
  const labels = usePageTexts(RELATIONS)
  const [openLine, setOpenLine] = useState<Line | null>(null)
  const { nodes, lines, height } = layOut(about)
  const describe = ({ from, relation, to }: Relation): string =>
    `${nameOf(from)} – ${relation} → ${nameOf(to)}`
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
                onClick={() => setOpenLine(line)}
                aria-label={line.relations.map(describe).join(', ')}
              >
                {line.relations
                  .map(({ relation, to }) => (to === line.near.name ? `← ${relation}` : relation))
                  .join(', ')}
              </button>
            </li>
          ))}
        </ul>
      </div>
      {openLine !== null && (
        <Dialog title={labels.evidence} onClose={() => setOpenLine(null)}>
          {openLine.relations.map((relation) => (
            <section key={describe(relation)}>
              <h3>{describe(relation)}</h3>
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
            <Button onClick={() => setOpenLine(null)}>{texts.states.close}</Button>
          </div>
        </Dialog>
      )}
    </>
  )
}

type Relation = AboutEntity['edges'][number]

/** A position: `left` in percent of the width, `top` in pixels. */
interface Place {
  readonly left: number
  readonly top: number
}

/** An entity of the graph. */
interface Node extends Place {
  readonly name: string
  readonly distance: number
}

/** The relations between two entities: one line, with the position of its label. */
interface Line extends Place {
  /** The entity nearer to the chosen one, or the first of two in one column. */
  readonly near: Node
  readonly far: Node
  readonly relations: readonly Relation[]
  /** The line as a path of SVG. */
  readonly path: string
}

/** Height of a row in pixels. */
const ROW = 76
/** Pixels between an entity and the label above it. */
const LABEL_HEIGHT = 32
/** How far a line between two entities of one column bends to the right, in percent of the width. */
const CURVE_WIDTH = 17
/** Maximum pixels from the top to the chosen entity, so that it is visible without scrolling. */
const MAX_CENTRE_TOP = 2.5 * ROW

/** PersonNavigation the chosen entity at the left and the others in columns by their distance, each near an entity that it is related to. */
function layOut({ entity, neighbours, edges }: AboutEntity) {
  const columns = neighbours.some(({ distance }) => distance === 2) ? [16, 50, 84] : [25, 75]
  const nodes: Node[] = []
  const nodesInColumn = (distance: number): Node[] => nodes.filter((node) => node.distance === distance)
  const topOfNeighbour = (name: string): number => {
    const near = nodesInColumn(1).find((node) =>
      edges.some(({ from, to }) => [from, to].includes(name) && [from, to].includes(node.name)),
    )
    return near?.top ?? LABEL_HEIGHT
  }
  for (const distance of [1, 2]) {
    const columnNeighbours = neighbours.filter((one) => one.distance === distance)
    const placed = columnNeighbours.map(({ name }) => ({ name, top: topOfNeighbour(name) }))
    for (const { name, top } of placed.toSorted((one, other) => one.top - other.top)) {
      const minTop = (nodesInColumn(distance).at(-1)?.top ?? -ROW) + ROW
      nodes.push({ name, distance, left: columns[distance] ?? 0, top: Math.max(top, minTop) })
    }
  }
  const middle = ((nodesInColumn(1).at(-1)?.top ?? LABEL_HEIGHT) + LABEL_HEIGHT) / 2
  nodes.unshift({
    name: entity.name,
    distance: 0,
    left: columns[0] ?? 0,
    top: Math.min(middle, MAX_CENTRE_TOP),
  })
  const height = Math.max(...nodes.map(({ top }) => top)) + LABEL_HEIGHT
  return { nodes, lines: linesOf(nodes, edges), height }
}

/** Makes the lines. The first line to an entity has its label above the entity, further lines in their middle. */
function linesOf(nodes: readonly Node[], edges: readonly Relation[]): Line[] {
  const labelled = new Set<Node>()
  return nodes.flatMap((near, place) =>
    nodes.slice(place + 1).flatMap((far): Line[] => {
      const names = [near.name, far.name]
      const relations = edges.filter(({ from, to }) => names.includes(from) && names.includes(to))
      if (relations.length === 0) return []
      const isFirst = near.distance < far.distance && !labelled.has(far)
      labelled.add(far)
      const middle = near.distance === far.distance ? near.left + CURVE_WIDTH : (near.left + far.left) / 2
      const path = `M${near.left} ${near.top}C${middle} ${near.top} ${middle} ${far.top} ${far.left} ${far.top}`
      const left = isFirst ? far.left : (near.left + middle + far.left) / 3
      const top = isFirst ? far.top - LABEL_HEIGHT : (near.top + far.top) / 2
      return [{ near, far, relations, path, left, top }]
    }),
  )
}
