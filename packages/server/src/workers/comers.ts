/** People of whom it is counted before all are forgotten. */
const MOST_KNOWN = 50_000
/**
 * Requests in a row, passed on by the same process, after which a person had better be served there: to read them anew costs about as much as
 * passing on so many.
 */
const IN_A_ROW = 12

/**
 * By which process's connections those come who are served here. Where connections are one person's, whoever connects anew may come by
 * another process's for as long as that lasts; where a few connections carry everybody, people come by all of them in turn.
 */
export class Comers {
  readonly #passed = new Map<string, { readonly by: number; times: number }>()

  /**
   * Counts a request.
   *
   * @param by the process that passed it on; `null`: none did
   * @returns whether the person comes by that one's connections, and by no other's
   */
  count(person: string, by: number | null): boolean {
    const known = this.#passed.get(person)
    if (by === null) {
      if (known !== undefined) this.#passed.delete(person)
      return false
    }
    if (known?.by !== by) {
      if (this.#passed.size >= MOST_KNOWN) this.#passed.clear()
      this.#passed.set(person, { by, times: 1 })
      return false
    }
    known.times += 1
    if (known.times < IN_A_ROW) return false
    this.#passed.delete(person)
    return true
  }
}
