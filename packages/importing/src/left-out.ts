/** Reasons for which a part of a file is skipped, in singular and plural. */
const REASONS = {
  wordless: [
    'message without text (a picture, a recording, a file)',
    'messages without text (pictures, recordings, files)',
  ],
  machinery: ['system or tool message', 'system or tool messages'],
  notices: ['notice of the messenger', 'notices of the messenger'],
  deleted: ['deleted message', 'deleted messages'],
  branches: ['message of a retried or edited answer', 'messages of retried or edited answers'],
  outdated: ['expired statement', 'expired statements'],
  others: ['turn of another user', 'turns of other users'],
} as const

export type LeftOutReason = keyof typeof REASONS
export const LEFT_OUT_REASONS = Object.keys(REASONS) as readonly LeftOutReason[]

/** Counts the skipped parts of files. */
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
        ? `1 ${REASONS[reason][0]} was skipped.`
        : `${count.toLocaleString('en')} ${REASONS[reason][1]} were skipped.`,
    )
  }
}
