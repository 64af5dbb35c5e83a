import type { ExchangeRecord } from './remember-exchange.ts'

/** What an exchange needs while its answer is on the way. */
export interface HeldExchangeOptions {
  readonly exchange: ExchangeRecord
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Told when the exchange could not be remembered in the end. */
  readonly report: (error: unknown) => void
  /** Waits for work as long as an answer may be held for it. Never rejects. */
  readonly wait: (work: Promise<unknown>) => Promise<void>
}

/** An exchange being remembered while its answer passes through. Its steps never fail; the answer is held while they last. */
export class HeldExchange {
  readonly #options: HeldExchangeOptions
  #isAskedKept: Promise<boolean> = Promise.resolve(false)

  constructor(options: HeldExchangeOptions) {
    this.#options = options
  }

  /** Keeps what the user said. Should that fail, the second step tries it again. */
  async asked(): Promise<void> {
    const { exchange, wait } = this.#options
    this.#isAskedKept = exchange.rememberAsked().then(
      () => true,
      () => false,
    )
    await wait(this.#isAskedKept)
  }

  /**
   * Keeps the answer.
   *
   * @param answer `null`: none came, or not to its end
   * @param before what is to be done when the question is kept and before the answer is
   */
  async answered(answer: string | null, before: () => Promise<void>): Promise<void> {
    await this.#options.wait(this.#keepAnswer(answer, before))
  }

  async #keepAnswer(answer: string | null, before: () => Promise<void>): Promise<void> {
    const { exchange, now, report } = this.#options
    await this.#isAskedKept
    await before().catch(report)
    try {
      if ((await this.#isAskedKept) && answer === null) return
      await exchange.rememberAnswered(answer, now())
    } catch (error) {
      report(error)
    }
  }
}
