/** What is left out, and how that is told of one and of several. */
const REASONS = {
  wordless: [
    'message without words (a picture, a recording, a file)',
    'messages without words (pictures, recordings, files)',
  ],
  machinery: ['message of the system or of a tool', 'messages of the system or of tools'],
  notices: ['notice of the messenger itself', 'notices of the messenger itself'],
  deleted: ['message that was deleted', 'messages that were deleted'],
  branches: [
    'message of an answer that was tried again or edited',
    'messages of answers that were tried again or edited',
  ],
  outdated: ['statement that is no longer so', 'statements that are no longer so'],
  persona: ['block about the agent, not the person', 'blocks about the agent, not the person'],
  others: ['turn of another person', 'turns of other people'],
} as const

export type LeftOutReason = keyof typeof REASONS
export const LEFT_OUT_REASONS = Object.keys(REASONS) as readonly LeftOutReason[]

/** Counts what of the files is not imported. */
export class LeftOut {
  readonly #counts = new Map<LeftOutReason, number>()

  add(reason: LeftOutReason, count = 1): void {
    if (count > 0) this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + count)
  }

  get counts(): readonly { readonly reason: LeftOutReason; readonly count: number }[] {
    return Array.from(this.#counts, ([reason, count]) => ({ reason, count }))
  }

  get sentences(): string[] {
    return Array.from(this.#counts, ([reason, count]) =>
      count === 1
        ? `1 ${REASONS[reason][0]} was left out.`
        : `${count.toLocaleString('en')} ${REASONS[reason][1]} were left out.`,
    )
  }
}
