import type { AboutEntity } from '@keepsake/client'

export type Relation = AboutEntity['edges'][number]

/** A place in percent of the width, and pixels. */
interface Place {
  readonly left: number
  readonly top: number
}

/** An entity of the graph. */
interface Node extends Place {
  readonly name: string
  readonly distance: number
}

/** The relations between two entities: one line, with the place of its words. */
export interface Line extends Place {
  readonly near: Node
  readonly far: Node
  readonly relations: readonly Relation[]
  /** The line as a path of SVG. */
  readonly path: string
}

const ROW = 76
/** Between an entity and the words above it. */
const ABOVE = 32
/** Pixels down to which the chosen entity stands, so that it is seen at once. */
const LOWEST = 2.5 * ROW

/** Places the chosen entity at the left, and the others in columns by their distance, beside what they are related to. */
export function layOut({ entity, neighbours, edges }: AboutEntity) {
  const columns = neighbours.some(({ distance }) => distance === 2) ? [16, 50, 84] : [25, 75]
  const nodes: Node[] = []
  const ofColumn = (distance: number): Node[] => nodes.filter((node) => node.distance === distance)
  const besides = (name: string): number => {
    const near = ofColumn(1).find((node) =>
      edges.some(({ from, to }) => [from, to].includes(name) && [from, to].includes(node.name)),
    )
    return near?.top ?? ABOVE
  }
  for (const distance of [1, 2]) {
    const named = neighbours.filter((one) => one.distance === distance)
    const placed = named.map(({ name }) => ({ name, top: besides(name) }))
    for (const { name, top } of placed.toSorted((one, other) => one.top - other.top)) {
      const below = (ofColumn(distance).at(-1)?.top ?? -ROW) + ROW
      nodes.push({ name, distance, left: columns[distance] ?? 0, top: Math.max(top, below) })
    }
  }
  const middle = ((ofColumn(1).at(-1)?.top ?? ABOVE) + ABOVE) / 2
  nodes.unshift({ name: entity.name, distance: 0, left: columns[0] ?? 0, top: Math.min(middle, LOWEST) })
  const height = Math.max(...nodes.map(({ top }) => top)) + ABOVE
  return { nodes, lines: linesOf(nodes, edges), height }
}

/** The first line that leads to an entity has its words above it; those of further ones stand in the middle. */
function linesOf(nodes: readonly Node[], edges: readonly Relation[]): Line[] {
  const worded = new Set<Node>()
  return nodes.flatMap((near, place) =>
    nodes.slice(place + 1).flatMap((far): Line[] => {
      const both = [near.name, far.name]
      const relations = edges.filter(({ from, to }) => both.includes(from) && both.includes(to))
      if (relations.length === 0) return []
      const isFirst = near.distance < far.distance && !worded.has(far)
      worded.add(far)
      // Between two entities of one column a line swings out.
      const middle = near.distance === far.distance ? near.left + 17 : (near.left + far.left) / 2
      const path = `M${near.left} ${near.top}C${middle} ${near.top} ${middle} ${far.top} ${far.left} ${far.top}`
      const left = isFirst ? far.left : (near.left + middle + far.left) / 3
      const top = isFirst ? far.top - ABOVE : (near.top + far.top) / 2
      return [{ near, far, relations, path, left, top }]
    }),
  )
}
