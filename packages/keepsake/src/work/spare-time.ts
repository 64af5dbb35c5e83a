import { cpus } from 'node:os'

/** Looks closer together than this say what the last one said: counters of the machine move in hundredths of a second. */
const LOOK_EVERY_MS = 200
/** Less of the machine's time than this was idle where it is busy: there is no core that another process could use. */
const SPARE_SHARE = 0.25

interface Times {
  readonly idle: number
  readonly all: number
}

/** Whether the machine had time to spare lately, whoever uses it. */
export class SpareTime {
  readonly #read: () => Times
  #last: Times
  #lookedAt = Number.NEGATIVE_INFINITY
  #hasSpare = true

  /** @param read the machine's counters; they are those of all its cores together */
  constructor(read: () => Times = readTimes) {
    this.#read = read
    this.#last = read()
  }

  /** Where the machine does not tell, it has. */
  look(now: number): boolean {
    if (now - this.#lookedAt < LOOK_EVERY_MS) return this.#hasSpare
    const times = this.#read()
    const passed = times.all - this.#last.all
    if (passed > 0) this.#hasSpare = (times.idle - this.#last.idle) / passed >= SPARE_SHARE
    this.#last = times
    this.#lookedAt = now
    return this.#hasSpare
  }
}

function readTimes(): Times {
  let [idle, all] = [0, 0]
  for (const { times } of cpus()) {
    idle += times.idle
    for (const one of Object.values(times)) all += one
  }
  return { idle, all }
}
