import { publishedFigure, type PublishedTable } from './registry/paper.ts'
import type { HereFigure } from './registry/reproduction.ts'

/** A figure obtained here, with the paper's that it stands beside. */
export interface ComparedFigure extends HereFigure {
  /** `null`: the paper has none there. */
  readonly paper: number | null
}

/** Puts the paper's figure beside each that was obtained. */
export function compareFigures(
  published: PublishedTable | undefined,
  figures: readonly HereFigure[],
): ComparedFigure[] {
  return figures.map((figure) => {
    const { beside, column } = figure
    const paper =
      published === undefined || beside === null ? null : publishedFigure(published, beside, column)
    return { ...figure, paper }
  })
}
