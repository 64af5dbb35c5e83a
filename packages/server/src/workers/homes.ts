/** People whose home is known before the one who was asked for longest ago is forgotten: some 100 bytes each. */
const MOST_KNOWN = 200_000
/** A worker takes in whoever it is asked for until it has so much more than its share. */
const MOST_OVER_SHARE = 1.2
/** Below so many people, shares say nothing. */
const FEW = 8

/**
 * Which worker serves whom, so that a person is in the caches of one process alone. Whoever is first asked for a person takes them
 * in, unless it has more than its share already: then it is the worker with the fewest. Where every connection is one person's,
 * nothing has to be passed on so; where a few connections carry everybody, people spread evenly all the same. Who comes by another
 * worker's connections from then on moves there.
 */
export class Homes {
  /** In order of asking, the longest unasked first. */
  readonly #homes = new Map<string, number>()
  readonly #counts = new Map<number, number>()
  readonly #most: number

  constructor(most = MOST_KNOWN) {
    this.#most = most
  }

  /** A worker that serves from now on. */
  open(worker: number): void {
    this.#counts.set(worker, 0)
  }

  /** A worker that is gone: its people find another home. */
  close(worker: number): void {
    this.#counts.delete(worker)
    for (const [person, home] of this.#homes) if (home === worker) this.#homes.delete(person)
  }

  /** The home of a person. @param asker the worker that was asked for them, which serves */
  find(person: string, asker: number): number {
    const known = this.#homes.get(person)
    const home = known ?? this.#choose(asker)
    if (known === undefined) this.#count(home, 1)
    else this.#homes.delete(person)
    this.#homes.set(person, home)
    this.#forget()
    return home
  }

  /** Has a person move to a worker, unless that has more than its share already. @returns their home afterwards; `undefined`: they had none */
  move(person: string, to: number): number | undefined {
    const home = this.#homes.get(person)
    if (home === undefined || home === to || !this.#hasRoom(to)) return home
    this.#count(home, -1)
    this.#count(to, 1)
    this.#homes.set(person, to)
    return to
  }

  /** Whether a worker serves, and has no more people than it should. */
  #hasRoom(worker: number): boolean {
    const own = this.#counts.get(worker)
    const share = this.#homes.size / Math.max(1, this.#counts.size)
    return own !== undefined && own <= Math.max(FEW, share * MOST_OVER_SHARE)
  }

  #choose(asker: number): number {
    if (this.#hasRoom(asker)) return asker
    const [fewest] = [...this.#counts].sort(([, one], [, other]) => one - other)
    return fewest?.[0] ?? asker
  }

  #forget(): void {
    if (this.#homes.size <= this.#most) return
    const [oldest] = this.#homes
    if (oldest === undefined) return
    this.#homes.delete(oldest[0])
    this.#count(oldest[1], -1)
  }

  #count(worker: number, by: number): void {
    const count = this.#counts.get(worker)
    if (count !== undefined) this.#counts.set(worker, count + by)
  }
}
